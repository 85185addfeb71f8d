/** {@code muster logs}: the past and new output of ranks, from their logs. */
@NullMarked
package dev.muster.runtime.logs;

import org.jspecify.annotations.NullMarked;
