package dev.muster.runtime.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The environment variables as the user set them.
 *
 * @param variables all of them
 * @param restored those among them that this process itself sees with another value, or not at all
 * @param dropped what this process sees and the user did not set. A copy of this process's environment becomes the user's by
 *     removing these and setting the restored ones; so names and values that Java cannot read stay as they are
 */
public record Environment(
        SortedMap<String, String> variables, SortedMap<String, String> restored, SortedSet<String> dropped) {

    /** What the start script, the shell that runs it or the Java runtime need for themselves. */
    private static final List<String> OF_START_SCRIPT = List.of(
            "LC_ALL",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "CLASSPATH",
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_");

    private static final List<String> MESSAGES =
            List.of(World.HOME, World.CALLERS_DIRECTORY, World.CALLER, World.IGNORED_SIGNALS);

    public Environment {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        restored = Collections.unmodifiableSortedMap(new TreeMap<>(restored));
        dropped = Collections.unmodifiableSortedSet(new TreeSet<>(dropped));
    }

    /** The environment of a launcher that nothing stands in front of. */
    public static Environment of(Map<String, String> variables) {
        return new Environment(new TreeMap<>(variables), new TreeMap<>(), new TreeSet<>());
    }

    /**
     * The environment behind the packaged start script.
     *
     * @param seen what this process has
     * @param caller what the script's caller has
     */
    static Environment behindStartScript(Map<String, String> seen, Map<String, String> caller) {
        // Put in order once: there may be thousands, and a copy of what is in order takes no comparison.
        SortedMap<String, String> all = new TreeMap<>(caller);
        SortedMap<String, String> restored = new TreeMap<>(all);
        restored.entrySet().removeIf(variable -> variable.getValue().equals(seen.get(variable.getKey())));
        SortedSet<String> dropped = new TreeSet<>(seen.keySet());
        dropped.removeAll(caller.keySet());
        return new Environment(all, restored, dropped);
    }

    /** The same where nobody tells what the caller has: less what the script, the shell and Java are known to add. */
    static Environment behindStartScript(Map<String, String> seen) {
        Map<String, String> caller = new TreeMap<>(seen);
        caller.keySet().removeAll(OF_START_SCRIPT);
        caller.keySet().removeAll(MESSAGES);
        return behindStartScript(seen, caller);
    }

    /**
     * The same with some variables changed: by what was activated for the job, for example.
     *
     * @param set new variables, and those with a new value
     * @param removed variables that are gone
     */
    public Environment changed(Map<String, String> set, Set<String> removed) {
        SortedMap<String, String> all = new TreeMap<>(variables);
        SortedMap<String, String> given = new TreeMap<>(restored);
        SortedSet<String> gone = new TreeSet<>(dropped);
        all.keySet().removeAll(removed);
        given.keySet().removeAll(removed);
        gone.addAll(removed);
        all.putAll(set);
        given.putAll(set);
        gone.removeAll(set.keySet());
        return new Environment(all, given, gone);
    }

    /** The value of a variable that is set and not empty. */
    public Optional<String> value(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
