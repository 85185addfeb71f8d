package dev.muster.runtime.platform;

import java.util.SortedMap;

/** Names of variables: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
final class NamePattern {

    private static final String ANY = "*";

    private NamePattern() {}

    static boolean matches(Iterable<String> patterns, String name) {
        for (String pattern : patterns) {
            if (matches(pattern, name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of many names matches; in their order those that begin alike stand together. */
    static boolean isAmong(String pattern, SortedMap<String, String> names) {
        if (pattern.startsWith(ANY)) {
            return names.keySet().stream().anyMatch(name -> matches(pattern, name));
        }
        if (!pattern.endsWith(ANY)) {
            return names.containsKey(pattern);
        }
        String start = pattern.substring(0, pattern.length() - 1);
        SortedMap<String, String> rest = names.tailMap(start);
        return !rest.isEmpty() && rest.firstKey().startsWith(start);
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith(ANY)) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return pattern.startsWith(ANY) ? name.endsWith(pattern.substring(1)) : name.equals(pattern);
    }
}
