/**
 * Holds any launcher against the boot contract of an engine: starts it in a simulated cluster, with a probe as its training command, and
 * compares what each rank sees, and how all of it ends, with what the engine's own plan gives.
 */
@NullMarked
package dev.muster.runtime.certify;

import org.jspecify.annotations.NullMarked;
