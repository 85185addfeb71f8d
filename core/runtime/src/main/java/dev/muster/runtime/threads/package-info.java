/** Threads that the launcher makes beside its own. */
@NullMarked
package dev.muster.runtime.threads;

import org.jspecify.annotations.NullMarked;
