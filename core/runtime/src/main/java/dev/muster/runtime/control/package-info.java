/** Requests to a launcher from outside: to stop, and to list its processes. */
@NullMarked
package dev.muster.runtime.control;

import org.jspecify.annotations.NullMarked;
