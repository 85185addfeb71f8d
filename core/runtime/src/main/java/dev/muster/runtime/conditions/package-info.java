/** Watches the conditions of a plan: ports, and how far processes are. Posts what has come true; decides nothing. */
@NullMarked
package dev.muster.runtime.conditions;

import org.jspecify.annotations.NullMarked;
