/** Files and directories of Muster's own: made safely, written whole, removed again. */
@NullMarked
package dev.muster.runtime.files;

import org.jspecify.annotations.NullMarked;
