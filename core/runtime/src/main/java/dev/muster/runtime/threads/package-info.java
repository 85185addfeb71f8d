/** Background threads of the launcher. */
@NullMarked
package dev.muster.runtime.threads;

import org.jspecify.annotations.NullMarked;
