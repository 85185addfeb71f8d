/** Which engines there are, and the chosen one. */
@NullMarked
package dev.muster.runtime.engines;

import org.jspecify.annotations.NullMarked;
