/** The composition root: the program's entry and its wiring. */
@NullMarked
package dev.muster.runtime.app;

import org.jspecify.annotations.NullMarked;
