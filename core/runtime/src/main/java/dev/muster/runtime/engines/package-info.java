/** Which engines there are, where they came from, and which of them could not be loaded. */
@NullMarked
package dev.muster.runtime.engines;

import org.jspecify.annotations.NullMarked;
