/** Converts JSON text to JDK maps and lists, and back. Only this package uses Jackson. */
@NullMarked
package dev.muster.runtime.json;

import org.jspecify.annotations.NullMarked;
