package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A batch as the content of a line. */
final class BatchLine {

    private BatchLine() {}

    static Map<String, Object> of(Batch batch) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("first", batch.first());
        if (!batch.facts().isEmpty()) {
            line.put("facts", batch.facts().stream().map(Fact::content).toList());
        }
        line.put("seen", batch.seen());
        line.put("at", batch.sentAt());
        line.put("echo", batch.echoed());
        line.put("held", batch.heldFor());
        return line;
    }

    /** Empty: it is no batch. */
    static Optional<Batch> read(Map<String, Object> line) {
        if (line.get("first") instanceof Long first
                && line.get("seen") instanceof Long seen
                && line.get("at") instanceof Long at
                && line.get("echo") instanceof Long echo
                && line.get("held") instanceof Long held
                && line.getOrDefault("facts", List.of()) instanceof List<?> facts) {
            return facts(facts).map(read -> new Batch(first, read, seen, at, echo, held));
        }
        return Optional.empty();
    }

    private static Optional<List<Fact>> facts(List<?> list) {
        List<Fact> facts = new ArrayList<>(list.size());
        for (Object element : list) {
            if (!(element instanceof Map<?, ?> map) || map.values().stream().anyMatch(Objects::isNull)) {
                return Optional.empty();
            }
            Map<String, Object> content = new LinkedHashMap<>();
            map.forEach((name, value) -> content.put((String) name, value));
            facts.add(new Fact(content));
        }
        return Optional.of(facts);
    }
}
