package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;
import java.util.HashSet;
import java.util.Set;

/** What has come true so far. What is true stays true. For one thread at a time. */
final class ConditionState {

    private final Set<Condition> openPorts = new HashSet<>();
    private final Set<String> readyIds = new HashSet<>();
    private final Set<String> endedIds = new HashSet<>();

    void opened(Condition port) {
        openPorts.add(port);
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
            case PORT_OPEN -> openPorts.contains(condition);
            case READY -> readyIds.containsAll(condition.ids());
            case EXITED -> endedIds.containsAll(condition.ids());
        };
    }
}
