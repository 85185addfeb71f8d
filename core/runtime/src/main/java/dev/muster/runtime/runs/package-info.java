/** The runs in place of a job: which failures are followed by another run, after which pause, and how often. */
@NullMarked
package dev.muster.runtime.runs;

import org.jspecify.annotations.NullMarked;
