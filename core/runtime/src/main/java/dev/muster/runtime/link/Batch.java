package dev.muster.runtime.link;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What travels in one line once two launchers know each other. A batch without messages is a beat.
 *
 * @param first the number of the first message; each side numbers its own from 1
 * @param facts the messages in their order
 * @param seen all messages up to this number have come from the other side
 */
record Batch(long first, List<Map<String, Object>> facts, long seen) {

    Batch {
        facts = List.copyOf(Objects.requireNonNullElse(facts, List.of()));
    }
}
