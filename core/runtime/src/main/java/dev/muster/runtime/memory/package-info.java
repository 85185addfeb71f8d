/** The kernel's out-of-memory killer in the control groups of this launcher, and its part in a failure. */
@NullMarked
package dev.muster.runtime.memory;

import org.jspecify.annotations.NullMarked;
