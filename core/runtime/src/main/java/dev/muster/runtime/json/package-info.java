/** JSON text to JDK maps and lists and back. The only room that uses Jackson. */
@NullMarked
package dev.muster.runtime.json;

import org.jspecify.annotations.NullMarked;
