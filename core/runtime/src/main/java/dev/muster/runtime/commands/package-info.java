/**
 * Commands that answer a question, and scripts that change variables. In a launch the supervisor starts and ends them; the only user
 * of Commons Exec is for where there is no run.
 */
@NullMarked
package dev.muster.runtime.commands;

import org.jspecify.annotations.NullMarked;
