package dev.muster.runtime.config;

import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds variables that look like Muster's and are not: most likely a slip of the finger. */
final class UnknownVariables {

    /** What Muster's own programs, and those of its earlier versions, tell each other: {@code docs/variables.md}. */
    static final Set<String> INTERNAL = Set.of(
            RunMarker.VARIABLE,
            RunCount.VARIABLE,
            ProcessInfo.HOME,
            "MUSTER_STOP_NOTE",
            "MUSTER_INIT",
            ProcessInfo.SIMULATED_HOSTS,
            ProcessInfo.FAULTS);

    private UnknownVariables() {}

    /** One line for each. A warning and no error, since variables may be set for everything that runs in a container. */
    static List<String> warnings(Environment environment, KnownOptions known, OtherEngines others) {
        List<String> warnings = new ArrayList<>();
        SortedSet<String> names = names(known);
        for (String name :
                environment.variables().tailMap(OptionTable.VARIABLE_PREFIX).keySet()) {
            if (!name.startsWith(OptionTable.VARIABLE_PREFIX)) {
                break;
            }
            if (!names.contains(name)
                    && !INTERNAL.contains(name)
                    && !environment.isServiceLink(name)
                    && !isOf(others, name)) {
                warnings.add("the variable " + Printable.escape(name) + " means nothing to Muster"
                        + Nearest.suggestion(name, names));
            }
        }
        return warnings;
    }

    private static SortedSet<String> names(KnownOptions known) {
        SortedSet<String> names = new TreeSet<>();
        for (Option option : known.options()) {
            if (option.variable().isPresent()) {
                names.add(option.variable().get());
            }
        }
        return names;
    }

    private static boolean isOf(OtherEngines others, String variable) {
        String name = variable.substring(OptionTable.VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT);
        return others.optionNames().contains(name.replace('_', '-'));
    }
}
