/**
 * Commands that answer a question, by Commons Exec; and scripts that change variables. The supervisor starts these scripts, since it ends
 * what they leave behind.
 */
@NullMarked
package dev.muster.runtime.commands;

import org.jspecify.annotations.NullMarked;
