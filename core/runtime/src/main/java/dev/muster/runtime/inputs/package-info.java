/** Fetches what engines asked for: waits for files that are still being written, and reads them safely. */
@NullMarked
package dev.muster.runtime.inputs;

import org.jspecify.annotations.NullMarked;
