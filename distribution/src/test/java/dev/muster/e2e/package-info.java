/**
 * The product from outside: the packaged launcher and the plain jar as real processes, on every JDK that the machine has. A
 * test takes a {@link dev.muster.e2e.Scene}, which gives it a directory and leaves neither file nor process behind.
 */
@NullMarked
package dev.muster.e2e;

import org.jspecify.annotations.NullMarked;
