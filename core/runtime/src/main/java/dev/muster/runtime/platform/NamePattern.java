package dev.muster.runtime.platform;

import java.util.List;

/** Names of variables: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
final class NamePattern {

    private static final String ANY = "*";

    private NamePattern() {}

    static boolean matches(List<String> patterns, String name) {
        // There may be thousands of names: a stream for each takes longer than the looks.
        for (String pattern : patterns) {
            if (matches(pattern, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith(ANY)) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return pattern.startsWith(ANY) ? name.endsWith(pattern.substring(1)) : name.equals(pattern);
    }
}
