/** What the ranks of a running job do now: {@code muster top}. */
@NullMarked
package dev.muster.runtime.watch;

import org.jspecify.annotations.NullMarked;
