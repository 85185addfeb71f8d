package dev.muster.runtime.diagnostics;

import java.util.List;

/**
 * Lines in which a program's runtime tells why the program ends.
 *
 * @param start of it in the output
 * @param end of it, exclusive
 * @param lines without those of others in between
 * @param key which of the lines say most, the most important first
 */
record Block(int start, int end, List<String> lines, List<Integer> key) {}
