package dev.muster.runtime.certify;

import dev.muster.runtime.certify.Probe.SeenRank;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a job must see.
 *
 * @param ranks what they saw when Muster ran the engine's plan
 * @param caller the variables that are equal for the launchers of all nodes
 * @param isOfEngine whether the engine decides about a variable
 */
record Contract(List<SeenRank> ranks, Map<String, String> caller, Predicate<String> isOfEngine) {

    /** The master address and port. Launchers choose different ones, but all ranks of a job must have the same. */
    private static final Pattern MEETING = Pattern.compile(".*_(?:ADDR|PORT)");

    private static final Pattern PORT = Pattern.compile(":[0-9]{4,5}\\b");

    /** Variables that shells, MPI libraries and Muster itself set. */
    private static final Pattern OF_OTHERS = Pattern.compile("_|(?:OLD)?PWD|SHLVL|PMIX?_.*|MUSTER_.*|PYTHONUNBUFFERED");

    /** The variables of the contract, if shells can name them. */
    Set<String> names() {
        return ranks.stream()
                .flatMap(rank -> Stream.of(rank.variables(), caller)
                        .flatMap(variables -> variables.keySet().stream())
                        .filter(name -> isOfEngine.test(name)
                                && !OF_OTHERS.matcher(name).matches())
                        .filter(name -> !Objects.equals(rank.variables().get(name), caller.get(name))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The problems of the ranks, by the number of the rule; none for a rule that is kept. */
    Map<String, Set<String>> problems(List<SeenRank> seen) {
        Map<String, Set<String>> problems = new TreeMap<>();
        List<SeenRank> rest = new ArrayList<>(seen);
        for (SeenRank rank : ranks) {
            rest.stream()
                    .max(Comparator.comparingLong(one -> likeness(rank, one)))
                    .ifPresent(one -> {
                        rest.remove(one);
                        compare(rank, one, problems);
                    });
        }
        names().stream()
                .filter(name -> MEETING.matcher(name).matches())
                .filter(name -> seen.stream()
                                .map(one -> one.variables().get(name))
                                .distinct()
                                .count()
                        > 1)
                .forEach(name -> of("R4.1", problems).add(name + " differs from rank to rank"));
        return problems;
    }

    private long likeness(SeenRank rank, SeenRank seen) {
        return names().stream().filter(name -> isRight(name, rank, seen)).count();
    }

    private void compare(SeenRank rank, SeenRank seen, Map<String, Set<String>> problems) {
        Set<String> names = names();
        for (String name : names) {
            if (!isRight(name, rank, seen)) {
                String value = shown(seen.variables().get(name)) + ", not "
                        + shown(rank.variables().get(name));
                of("R4.1", problems).add(name + " is " + value);
            }
        }
        caller.keySet().stream()
                .filter(name -> isLost(name, names, seen))
                .forEach(name -> of("R4.2", problems).add(name + " is missing or changed"));
        if (!rank.directory().equals(seen.directory())) {
            of("R5.1", problems).add(seen.directory() + ", not " + rank.directory());
        }
        if (!normal(rank.arguments().toString()).equals(normal(seen.arguments().toString()))) {
            of("R9.1", problems).add(shown(seen.arguments().toString()));
        }
    }

    private boolean isLost(String name, Set<String> ofContract, SeenRank seen) {
        boolean isTheirs =
                !ofContract.contains(name) && !OF_OTHERS.matcher(name).matches();
        return isTheirs && !Objects.equals(caller.get(name), seen.variables().get(name));
    }

    /** Whether a value is right. A path may differ if it exists. A JSON object may be written differently. */
    private static boolean isRight(String name, SeenRank rank, SeenRank seen) {
        String expected = rank.variables().get(name);
        String value = seen.variables().get(name);
        if (expected == null || value == null) {
            return Objects.equals(expected, value);
        }
        String wanted = normal(expected);
        boolean isObject = wanted.startsWith("{")
                && Json.read(wanted).object().equals(Json.read(normal(value)).object());
        return isObject
                || wanted.equals(normal(value))
                || MEETING.matcher(name).matches()
                || seen.paths().contains(name);
    }

    /** Replaces ports: each run has other ones. */
    private static String normal(String text) {
        return PORT.matcher(text).replaceAll(":PORT");
    }

    private static Set<String> of(String rule, Map<String, Set<String>> problems) {
        return problems.computeIfAbsent(rule, any -> new LinkedHashSet<>());
    }

    private static String shown(@Nullable String value) {
        return value == null ? "unset" : Printable.quote(value);
    }
}
