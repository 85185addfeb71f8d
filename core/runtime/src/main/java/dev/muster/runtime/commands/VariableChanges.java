package dev.muster.runtime.commands;

import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.CallerContext;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How one environment differs from another. Bytes that are no UTF-8 are kept as {@link ByteText} does.
 *
 * @param set new variables, and those with a new value
 * @param removed variables that are gone
 */
public record VariableChanges(SortedMap<String, String> set, SortedSet<String> removed) {

    /** What every shell changes for itself. */
    private static final Set<String> OF_SHELL = Set.of("_", "SHLVL", "PWD", "OLDPWD");

    /** The prefix of variables that Muster's own scripts use. */
    private static final String OWN = "muster_";

    public VariableChanges {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    }

    /**
     * Compares two environments.
     *
     * @param before entries {@code NAME=VALUE}, as {@code env -0} gives them
     * @param after the same, later
     */
    static VariableChanges between(List<String> before, List<String> after) {
        SortedMap<String, String> earlier = byName(before);
        SortedMap<String, String> later = byName(after);
        SortedMap<String, String> set = new TreeMap<>(later);
        set.entrySet().removeIf(variable -> variable.getValue().equals(earlier.get(variable.getKey())));
        SortedSet<String> removed = new TreeSet<>(earlier.keySet());
        removed.removeAll(later.keySet());
        return new VariableChanges(set, removed);
    }

    private static SortedMap<String, String> byName(List<String> entries) {
        SortedMap<String, String> variables = new TreeMap<>(CallerContext.variables(entries));
        variables.keySet().removeIf(VariableChanges::isOfShell);
        return variables;
    }

    private static boolean isOfShell(String name) {
        return OF_SHELL.contains(name) || name.startsWith(OWN);
    }
}
