package dev.muster.runtime.plan;

import java.util.SortedMap;
import java.util.SortedSet;

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
        String name, String prefix, String origin, SortedMap<String, String> set, SortedSet<String> remove) {}
