package dev.muster.runtime.link;

import java.util.Optional;
import java.util.SortedMap;

/** Finds what should be equal on all nodes and is not. */
final class Differences {

    /** What {@link Said.Planned} calls the number of the launchers. */
    private static final String NODES = "number of nodes";

    private Differences() {}

    /**
     * Why two plans do not fit together, told of the second; what only one of them lists is not compared. Another number of nodes is
     * the reason of other differences.
     *
     * @param where the first one, for users
     */
    static Optional<String> between(SortedMap<String, String> first, String where, SortedMap<String, String> second) {
        Optional<String> nodes = difference(NODES, first, where, second);
        if (nodes.isPresent()) {
            return nodes;
        }
        for (String what : first.keySet()) {
            Optional<String> other = difference(what, first, where, second);
            if (other.isPresent()) {
                return other;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> difference(
            String what, SortedMap<String, String> first, String where, SortedMap<String, String> second) {
        String one = first.get(what);
        String other = second.get(what);
        return one == null || other == null || one.equals(other)
                ? Optional.empty()
                : Optional.of(
                        what + ": " + other + " here and " + one + " on " + where + "; must be the same on all nodes");
    }
}
