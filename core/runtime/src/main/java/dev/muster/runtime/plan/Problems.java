package dev.muster.runtime.plan;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Shortened;
import java.util.LinkedHashSet;
import java.util.Set;

/** Collects what is wrong with a plan, so that all of it is told at once. */
final class Problems {

    /** The longest problem, in characters: it may quote anything that an engine made. */
    private static final int LONGEST = 4096;

    /** Mistakes of the engine. */
    private final Set<String> invalid = new LinkedHashSet<>();
    /** What the user's environment or command makes impossible, whatever the engine does. */
    private final Set<String> impossible = new LinkedHashSet<>();

    void invalid(String problem) {
        invalid.add(problem);
    }

    void impossible(String problem) {
        impossible.add(problem);
    }

    /** Records the problem unless the condition holds. */
    void require(boolean condition, String problem) {
        if (!condition) {
            invalid(problem);
        }
    }

    void throwIfAny(String engine) {
        if (!invalid.isEmpty()) {
            Set<String> all = new LinkedHashSet<>(invalid);
            all.addAll(impossible);
            throw new MusterException(
                    ExitCode.INTERNAL,
                    "engine " + engine + " made an invalid plan: " + numbered(all)
                            + ". Report this to the engine's author");
        }
        if (!impossible.isEmpty()) {
            throw MusterException.configuration(
                    impossible.size() == 1 ? impossible.iterator().next() : numbered(impossible));
        }
    }

    private static String numbered(Set<String> problems) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (String problem : problems) {
            number++;
            text.append(number == 1 ? "" : "; ").append(number).append(") ").append(Shortened.to(LONGEST, problem));
        }
        return text.toString();
    }
}
