package dev.muster.runtime.plan;

import dev.muster.spi.Condition;
import dev.muster.spi.Launchers;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which processes can ever start, given that ports and files may come to be and that every process that starts may end. Steps
 * before the tasks come first, all other steps last.
 */
final class StartOrder {

    private final Set<String> started = new HashSet<>();
    private final Set<String> ready = new HashSet<>();
    private final Map<String, Condition> readiness = new HashMap<>();

    private StartOrder(List<ProcessSpec> processes) {
        for (ProcessSpec process : processes) {
            readiness.put(
                    process.id(),
                    process instanceof ProcessSpec.Service service ? service.readyWhen() : Condition.IMMEDIATELY);
        }
    }

    static StartOrder of(List<ProcessSpec> processes) {
        StartOrder order = new StartOrder(processes);
        boolean isReady = true;
        for (int phase = 0; phase < 3 && isReady; phase++) {
            List<ProcessSpec> waiting = new ArrayList<>();
            for (ProcessSpec process : processes) {
                if (phase(process) == phase) {
                    waiting.add(process);
                }
            }
            order.startAllThatCan(waiting);
            // Nothing of a later phase starts while a step before the tasks is waited for.
            isReady = phase > 0 || waiting.isEmpty();
        }
        return order;
    }

    boolean starts(String id) {
        return started.contains(id);
    }

    boolean canBeReady(String id) {
        return ready.contains(id);
    }

    /** Whether a condition can come true at any time. */
    boolean canHold(Condition condition) {
        if (condition instanceof Condition.Never) {
            return false;
        }
        if (condition instanceof Condition.Exited exited) {
            return haveAll(started, exited.ids());
        }
        if (condition instanceof Condition.Ready served) {
            return haveAll(ready, served.ids());
        }
        if (condition instanceof Condition.AllOf all) {
            return all.parts().stream().allMatch(this::canHold);
        }
        if (condition instanceof Condition.AnyOf any) {
            return any.parts().stream().anyMatch(this::canHold);
        }
        if (condition instanceof Condition.Before order) {
            return canHold(order.first())
                    && !holdsFromTheBeginning(order.other())
                    && !order.first().equals(order.other());
        }
        return true;
    }

    /** What other launchers start is not known here. */
    private static boolean haveAll(Set<String> here, Set<String> ids) {
        return ids.stream().allMatch(id -> here.contains(id) || Launchers.isElsewhere(id));
    }

    private static boolean holdsFromTheBeginning(Condition condition) {
        if (condition instanceof Condition.Exited exited) {
            return exited.ids().isEmpty();
        }
        if (condition instanceof Condition.Elapsed elapsed) {
            return elapsed.time().isZero();
        }
        if (condition instanceof Condition.AllOf all) {
            return all.parts().stream().allMatch(StartOrder::holdsFromTheBeginning);
        }
        if (condition instanceof Condition.AnyOf any) {
            return any.parts().stream().anyMatch(StartOrder::holdsFromTheBeginning);
        }
        if (condition instanceof Condition.Before order) {
            return holdsFromTheBeginning(order.first()) && !holdsFromTheBeginning(order.other());
        }
        return condition instanceof Condition.Immediately;
    }

    private void startAllThatCan(List<ProcessSpec> waiting) {
        boolean isMoving = true;
        while (isMoving) {
            isMoving = waiting.removeIf(this::start);
            for (String id : started) {
                isMoving |=
                        !ready.contains(id) && canHold(readiness.getOrDefault(id, Condition.NEVER)) && ready.add(id);
            }
        }
    }

    private boolean start(ProcessSpec process) {
        if (!canHold(process.startWhen())) {
            return false;
        }
        started.add(process.id());
        return true;
    }

    private static int phase(ProcessSpec process) {
        if (process instanceof ProcessSpec.Step step) {
            return step.phase() == ProcessSpec.Phase.BEFORE_TASKS ? 0 : 2;
        }
        return 1;
    }
}
