/**
 * Commands that answer a question, by Commons Exec, and scripts that change variables: the supervisor starts those, since it ends what
 * they leave behind.
 */
@NullMarked
package dev.muster.runtime.commands;

import org.jspecify.annotations.NullMarked;
