package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Copies in the natural order of texts, whatever order the original has: nobody's comparator comes along. */
final class Sorted {

    private Sorted() {}

    static <V> SortedMap<String, V> map(Map<String, V> original) {
        SortedMap<String, V> copy = new TreeMap<>();
        copy.putAll(original);
        return Collections.unmodifiableSortedMap(copy);
    }

    static SortedSet<String> set(Collection<String> original) {
        SortedSet<String> copy = new TreeSet<>();
        copy.addAll(original);
        return Collections.unmodifiableSortedSet(copy);
    }
}
