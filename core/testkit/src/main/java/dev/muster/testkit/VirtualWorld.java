package dev.muster.testkit;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;

/** Plans for a world without machines: what only a machine can tell, such as a port, is there at once. */
final class VirtualWorld implements ProcessSpec.Cases<ProcessSpec> {

    private VirtualWorld() {}

    /** Whether the end of a plan's node depends on nothing but processes and launchers. */
    static boolean canPlay(LaunchPlan plan) {
        return !(plan.outcome() instanceof Outcome.FirstOf firstOf)
                || firstOf.cases().stream().allMatch(one -> one.when().equals(seen(one.when())));
    }

    static LaunchPlan plan(LaunchPlan plan) {
        return plan.withProcesses(plan.processes().stream()
                .map(process -> process.fold(new VirtualWorld()))
                .toList());
    }

    @Override
    public ProcessSpec task(ProcessSpec.Task task) {
        ProcessSpec.Task.Builder virtual =
                ProcessSpec.task(task.id(), task.launch()).startWhen(seen(task.startWhen()));
        task.placement().ifPresent(virtual::placement);
        task.hosted().ifPresent(virtual::hosts);
        return virtual.build();
    }

    @Override
    public ProcessSpec service(ProcessSpec.Service service) {
        ProcessSpec.Service.Builder virtual = ProcessSpec.service(service.id(), service.launch())
                .startWhen(seen(service.startWhen()))
                .readyWhen(seen(service.readyWhen()));
        service.hosted().ifPresent(virtual::hosts);
        return virtual.build();
    }

    @Override
    public ProcessSpec step(ProcessSpec.Step step) {
        return step;
    }

    private static Condition seen(Condition condition) {
        return condition.fold(new Seen());
    }

    /** Ports of a virtual world are open; what processes do is seen. */
    private static final class Seen implements Condition.Cases<Condition> {

        @Override
        public Condition immediately(Condition.Immediately immediately) {
            return immediately;
        }

        @Override
        public Condition portOpen(Condition.PortOpen port) {
            return Condition.IMMEDIATELY;
        }

        @Override
        public Condition ready(Condition.Ready ready) {
            return ready;
        }

        @Override
        public Condition exited(Condition.Exited exited) {
            return exited;
        }
    }
}
