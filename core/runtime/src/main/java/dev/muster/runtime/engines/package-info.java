/** Which engines there are, and how their code is called. */
@NullMarked
package dev.muster.runtime.engines;

import org.jspecify.annotations.NullMarked;
