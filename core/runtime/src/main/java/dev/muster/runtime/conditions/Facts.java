package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** What has come true so far. What is true stays true, unless it is forgotten. For one thread at a time. */
final class Facts {

    private final Set<Condition> seen = new HashSet<>();
    private final Set<String> readyIds = new HashSet<>();
    private final Set<String> endedIds = new HashSet<>();

    /** Takes notice of ports. */
    void met(Collection<Condition> found) {
        seen.addAll(found);
    }

    void ready(String id) {
        readyIds.add(id);
    }

    void ended(String id) {
        endedIds.add(id);
    }

    boolean hasEnded(String id) {
        return endedIds.contains(id);
    }

    boolean isReady(String id) {
        return readyIds.contains(id);
    }

    boolean isMet(Condition condition) {
        return switch (condition.kind()) {
            case IMMEDIATELY -> true;
            case PORT_OPEN -> seen.contains(condition);
            case READY -> readyIds.containsAll(condition.ids());
            case EXITED -> endedIds.containsAll(condition.ids());
        };
    }
}
