/** The last words of failed processes: finds the lines that tell why they failed, and advice for the user. Pure functions on text. */
@NullMarked
package dev.muster.runtime.diagnostics;

import org.jspecify.annotations.NullMarked;
