package dev.muster.runtime.plan;

import dev.muster.spi.Condition;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which processes can ever start, given that ports may be opened and that every process that starts may end. Steps
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
        return condition.fold(new CanHold());
    }

    /** What other launchers start is not known here. */
    private static boolean haveAll(Set<String> here, Set<String> ids) {
        return ids.stream().allMatch(id -> here.contains(id) || LauncherNodes.isElsewhere(id));
    }

    private void startAllThatCan(List<ProcessSpec> waiting) {
        boolean isMoving = true;
        while (isMoving) {
            isMoving = waiting.removeIf(this::start);
            for (String id : started) {
                Condition readyWhen = Objects.requireNonNull(readiness.get(id));
                isMoving |= !ready.contains(id) && canHold(readyWhen) && ready.add(id);
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
        if (process instanceof ProcessSpec.Hook step) {
            return step.phase() == ProcessSpec.Phase.PROLOG ? 0 : 2;
        }
        return 1;
    }

    private final class CanHold implements Condition.Cases<Boolean> {

        @Override
        public Boolean immediately(Condition.Immediately immediately) {
            return true;
        }

        @Override
        public Boolean portOpen(Condition.PortOpen port) {
            return true;
        }

        @Override
        public Boolean ready(Condition.Ready ready) {
            return haveAll(StartOrder.this.ready, ready.ids());
        }

        @Override
        public Boolean exited(Condition.Exited exited) {
            return haveAll(started, exited.ids());
        }
    }
}
