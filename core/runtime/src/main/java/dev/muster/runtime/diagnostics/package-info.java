/** What failed processes said last: finds the words that tell why, and what may be done about it. Pure functions on text. */
@NullMarked
package dev.muster.runtime.diagnostics;

import org.jspecify.annotations.NullMarked;
