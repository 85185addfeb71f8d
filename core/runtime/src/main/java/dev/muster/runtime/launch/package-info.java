/** The way from settings to an exit code: the commands {@code launch} and {@code plan}. */
@NullMarked
package dev.muster.runtime.launch;

import org.jspecify.annotations.NullMarked;
