/** {@code muster logs}: what ranks have printed, and print, from their logs. */
@NullMarked
package dev.muster.runtime.logs;

import org.jspecify.annotations.NullMarked;
