/** How the launcher itself fails: exit codes and the one exception that carries one. */
@NullMarked
package dev.muster.runtime.errors;

import org.jspecify.annotations.NullMarked;
