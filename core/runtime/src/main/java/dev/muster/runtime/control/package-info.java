/** How a launcher is asked from outside to stop, or what it runs: the desk in the launcher, and the commands that come to it. */
@NullMarked
package dev.muster.runtime.control;

import org.jspecify.annotations.NullMarked;
