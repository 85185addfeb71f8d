/** What the kernel's memory killer has done in the control groups of this launcher, and what a failure may have to do with it. */
@NullMarked
package dev.muster.runtime.memory;

import org.jspecify.annotations.NullMarked;
