/**
 * Tests of the product from outside: the packaged launcher and the plain jar as real processes, on every JDK of the machine. A
 * test takes a {@link dev.muster.e2e.Scene}. It gives the test a directory, and removes all files and processes at the end.
 */
@NullMarked
package dev.muster.e2e;

import org.jspecify.annotations.NullMarked;
