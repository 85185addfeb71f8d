/** What the ranks of a job do: {@code muster top}, {@code muster stacks}, and the detection of hangs ({@code --hang-timeout}). */
@NullMarked
package dev.muster.runtime.watch;

import org.jspecify.annotations.NullMarked;
