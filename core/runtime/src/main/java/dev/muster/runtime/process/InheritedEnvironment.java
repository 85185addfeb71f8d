package dev.muster.runtime.process;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * How the user's environment differs from this JVM's. The JVM's own variables are changed, never rewritten, so that names and
 * values that are no text stay as they are, byte for byte.
 *
 * @param restored variables that the JVM sees with another value
 * @param dropped variables that only the JVM has
 */
public record InheritedEnvironment(SortedMap<String, String> restored, SortedSet<String> dropped) {

    void applyTo(Map<String, String> environment) {
        environment.keySet().removeAll(dropped);
        environment.putAll(restored);
    }
}
