/** How a launcher is asked from outside to stop, or what it runs. */
@NullMarked
package dev.muster.runtime.control;

import org.jspecify.annotations.NullMarked;
