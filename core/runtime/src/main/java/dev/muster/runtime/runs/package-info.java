/** Restarts in place: which failures lead to a restart, after which delay, and how often. */
@NullMarked
package dev.muster.runtime.runs;

import org.jspecify.annotations.NullMarked;
