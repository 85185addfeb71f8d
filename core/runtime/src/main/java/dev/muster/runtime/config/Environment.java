package dev.muster.runtime.config;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Environment variables, and how they differ from those of the launcher's caller. Only the differences are handed to processes, so
 * that all others stay as they are, byte for byte.
 *
 * @param variables all of them
 * @param set the variables that the caller has with another value, or not at all
 * @param removed the variables that only the caller has
 */
public record Environment(
        SortedMap<String, String> variables, SortedMap<String, String> set, SortedSet<String> removed) {

    private static final Pattern SERVICE_LINK = Pattern.compile(
            "(.+?)_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)");

    public Environment {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    }

    /** The caller's environment, without changes. */
    public static Environment of(Map<String, String> variables) {
        return new Environment(new TreeMap<>(variables), new TreeMap<>(), new TreeSet<>());
    }

    /**
     * This environment with some variables changed, for example by the conda environment of the job.
     *
     * @param others new variables, and those with a new value
     * @param gone variables that are removed
     */
    public Environment changed(Map<String, String> others, Set<String> gone) {
        SortedMap<String, String> all = new TreeMap<>(variables);
        SortedMap<String, String> differing = new TreeMap<>(set);
        SortedSet<String> missing = new TreeSet<>(removed);
        all.keySet().removeAll(gone);
        differing.keySet().removeAll(gone);
        missing.addAll(gone);
        all.putAll(others);
        differing.putAll(others);
        missing.removeAll(others.keySet());
        return new Environment(all, differing, missing);
    }

    /** Whether Kubernetes made this variable for a service: {@code MUSTER_PORT} for a service called muster. */
    boolean isServiceLink(String name) {
        Matcher link = SERVICE_LINK.matcher(name);
        return link.matches() && variables.containsKey(link.group(1) + "_SERVICE_HOST");
    }

    /** The value of a variable that is set and not empty. */
    public Optional<String> value(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
