/**
 * What the processes print: every byte into a log file of their own, whole lines with a prefix on the console.
 *
 * <p>One thread reads all processes and writes the log files; a second one writes the console, so that whoever reads the
 * console slowly, or not at all, cannot hold up a job for ever. Nothing between a process and the two is ever a string.
 */
@NullMarked
package dev.muster.runtime.output;

import org.jspecify.annotations.NullMarked;
