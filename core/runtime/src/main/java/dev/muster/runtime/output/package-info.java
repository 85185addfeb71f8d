/**
 * The output of the processes: every byte goes to a log file, whole lines with a prefix go to the console.
 *
 * <p>One thread reads all processes and writes the log files. A second thread writes the console, so that a slow console reader cannot
 * block the job. Output is never converted to strings on the way.
 */
@NullMarked
package dev.muster.runtime.output;

import org.jspecify.annotations.NullMarked;
