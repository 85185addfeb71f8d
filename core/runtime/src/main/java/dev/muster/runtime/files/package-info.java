/** Muster's own files and directories: made safely, written whole, removed again. */
@NullMarked
package dev.muster.runtime.files;

import org.jspecify.annotations.NullMarked;
