package dev.muster.runtime.link;

import java.util.Map;

/**
 * One thing that one launcher tells another, ready for a line of JSON.
 *
 * @param content JDK maps, lists, strings, longs and booleans
 */
record Fact(Map<String, Object> content) {
    Fact {
        content = Map.copyOf(content);
    }
}
