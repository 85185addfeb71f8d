/** Watches the conditions of a plan: ports, files, the clock and ends of processes. Posts what has come true; decides nothing. */
@NullMarked
package dev.muster.runtime.conditions;

import org.jspecify.annotations.NullMarked;
