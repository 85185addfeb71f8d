package dev.muster.runtime.link;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Finds what should be equal on all nodes and is not. */
final class Differences {

    private Differences() {}

    /**
     * Why two plans do not fit together, told of the second; what only one of them lists is not compared.
     *
     * @param where the first one, for users
     */
    static Optional<String> between(SortedMap<String, String> first, String where, SortedMap<String, String> second) {
        for (Map.Entry<String, String> value : first.entrySet()) {
            String other = second.get(value.getKey());
            if (other != null && !other.equals(value.getValue())) {
                return Optional.of(value.getKey() + ": " + other + " here and " + value.getValue() + " on " + where
                        + "; must be the same on all nodes");
            }
        }
        return Optional.empty();
    }
}
