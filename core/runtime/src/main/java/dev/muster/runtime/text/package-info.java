/** Small pure functions on text: durations, near names, masking of secrets, safe quoting. */
@NullMarked
package dev.muster.runtime.text;

import org.jspecify.annotations.NullMarked;
