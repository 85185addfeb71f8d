package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How the environment of a process differs from the launcher's.
 *
 * @param set variables that get this value instead of any other
 * @param remove variables that the process does not get
 * @since 0.1
 */
@Stability(stable = true)
public record EnvironmentChange(SortedMap<String, Value> set, SortedSet<String> remove) {

    public static final EnvironmentChange NONE = new EnvironmentChange(new TreeMap<>(), new TreeSet<>());

    public EnvironmentChange {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        remove = Collections.unmodifiableSortedSet(new TreeSet<>(remove));
    }

    public static EnvironmentChange of(Map<String, Value> set, Collection<String> remove) {
        return new EnvironmentChange(new TreeMap<>(set), new TreeSet<>(remove));
    }
}
