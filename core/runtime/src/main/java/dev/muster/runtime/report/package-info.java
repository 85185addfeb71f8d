/** How a node's job ended, and why: for people in a few lines, for machines in {@code result.json}. */
@NullMarked
package dev.muster.runtime.report;

import org.jspecify.annotations.NullMarked;
