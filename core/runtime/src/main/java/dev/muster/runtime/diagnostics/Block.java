package dev.muster.runtime.diagnostics;

import java.util.List;

/**
 * Lines in which a program's runtime tells why the program ends.
 *
 * @param start its first line in the output
 * @param end of it, exclusive
 * @param lines its lines, without interleaved lines of others
 * @param key the most telling lines, the most important first
 */
record Block(int start, int end, List<String> lines, List<Integer> key) {}
