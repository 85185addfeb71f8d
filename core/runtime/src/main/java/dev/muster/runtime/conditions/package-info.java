/** Watches the conditions of a plan: ports, and the states of processes. It reports conditions that come true, and decides nothing. */
@NullMarked
package dev.muster.runtime.conditions;

import org.jspecify.annotations.NullMarked;
