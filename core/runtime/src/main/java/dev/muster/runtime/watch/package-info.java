/** What the ranks of a running job do now: {@code muster top} and {@code muster stacks}, and whether the job hangs ({@code --hang-timeout}). */
@NullMarked
package dev.muster.runtime.watch;

import org.jspecify.annotations.NullMarked;
