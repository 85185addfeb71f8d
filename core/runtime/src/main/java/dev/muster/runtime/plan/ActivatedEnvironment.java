package dev.muster.runtime.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The conda environment that was activated for the job.
 *
 * @param name what conda calls it
 * @param prefix its directory
 * @param origin who chose it
 * @param set the variables that it sets, or gives another value
 * @param remove the variables that it takes away
 */
public record ActivatedEnvironment(
        String name, String prefix, String origin, SortedMap<String, String> set, SortedSet<String> remove) {

    public ActivatedEnvironment {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        remove = Collections.unmodifiableSortedSet(new TreeSet<>(remove));
    }
}
