package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has come true so far, and in which order where that matters. What is true stays true. For one thread at a time.
 */
final class Facts {

    private final Set<Condition> trueLeaves = new HashSet<>();
    private final Set<String> readyIds = new HashSet<>();
    private final Set<String> endedIds = new HashSet<>();
    /** An order that is part of another stands before it. */
    private final List<Condition.Before> orders = new ArrayList<>();

    private final Map<Condition.Before, Boolean> decidedOrders = new HashMap<>();

    /** @param conditions all that will be asked for; parts need not be named */
    Facts(Collection<Condition> conditions) {
        Set<Condition.Before> found = new LinkedHashSet<>();
        for (Condition condition : conditions) {
            collectOrders(condition, found);
        }
        orders.addAll(found);
    }

    /** Takes notice of conditions without parts that came true at the same moment. */
    void met(Collection<Condition> leaves) {
        trueLeaves.addAll(leaves);
        decideOrders();
    }

    void ready(String id) {
        readyIds.add(id);
        decideOrders();
    }

    void ended(String id) {
        endedIds.add(id);
        decideOrders();
    }

    boolean hasEnded(String id) {
        return endedIds.contains(id);
    }

    boolean isReady(String id) {
        return readyIds.contains(id);
    }

    boolean isMet(Condition condition) {
        if (condition instanceof Condition.Exited exited) {
            return endedIds.containsAll(exited.ids());
        }
        if (condition instanceof Condition.Ready ready) {
            return readyIds.containsAll(ready.ids());
        }
        if (condition instanceof Condition.AllOf all) {
            return firstOpen(all.parts()) == null;
        }
        if (condition instanceof Condition.AnyOf any) {
            return any.parts().stream().anyMatch(this::isMet);
        }
        if (condition instanceof Condition.Before order) {
            return decidedOrders.getOrDefault(order, false);
        }
        return condition instanceof Condition.Immediately || trueLeaves.contains(condition);
    }

    /** The other condition came true first, or at the same moment. */
    boolean isTooLate(Condition.Before order) {
        return !decidedOrders.getOrDefault(order, true);
    }

    /** The first part that has not come true. */
    @Nullable Condition firstOpen(List<Condition> parts) {
        for (Condition part : parts) {
            if (!isMet(part)) {
                return part;
            }
        }
        return null;
    }

    private void decideOrders() {
        for (Condition.Before order : orders) {
            boolean isTooLate = isMet(order.other());
            if (isTooLate || isMet(order.first())) {
                decidedOrders.putIfAbsent(order, !isTooLate);
            }
        }
    }

    private static void collectOrders(Condition condition, Set<Condition.Before> found) {
        Conditions.parts(condition).forEach(part -> collectOrders(part, found));
        if (condition instanceof Condition.Before order) {
            found.add(order);
        }
    }
}
