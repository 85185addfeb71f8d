package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Kills ranks of a simulated job so long after their start as the user of the simulation wants. */
final class FaultTimer implements AutoCloseable {

    private final Predicate<ProcessId> isThere;
    private final Consumer<ProcessId> kill;
    private final Consumer<String> say;
    private final List<Fault> waiting;
    private final Optional<ScheduledExecutorService> clock;

    /**
     * @param faults of this run
     * @param isThere whether a process has not ended
     * @param kill sends SIGKILL
     */
    FaultTimer(List<Fault> faults, Predicate<ProcessId> isThere, Consumer<ProcessId> kill, Consumer<String> say) {
        this.isThere = isThere;
        this.kill = kill;
        this.say = say;
        this.waiting = new ArrayList<>(faults);
        this.clock = faults.isEmpty()
                ? Optional.empty()
                : Optional.of(Executors.newSingleThreadScheduledExecutor(Daemon.named("faults")));
    }

    /** A rank runs now. */
    synchronized void started(String rank, Optional<ProcessId> process) {
        for (Fault fault : List.copyOf(waiting)) {
            if (fault.rank().equals(rank) && process.isPresent()) {
                // Nobody waits for it: the run may end before.
                Future<?> unused = clock.orElseThrow()
                        .schedule(
                                () -> strike(fault, process.get()),
                                fault.after().toMillis(),
                                TimeUnit.MILLISECONDS);
            }
        }
    }

    private synchronized void strike(Fault fault, ProcessId process) {
        if (!waiting.contains(fault)) {
            return;
        }
        if (isThere.test(process)) {
            waiting.remove(fault);
            // Before it happens, so that no line about the end comes before its reason.
            say.accept("--fail: killing rank " + fault.rank() + " (pid " + process.pid() + ") "
                    + Durations.format(fault.after()) + " after its start");
            kill.accept(process);
        }
    }

    /** The run is over; nobody is killed any more. */
    @Override
    public synchronized void close() {
        clock.ifPresent(ScheduledExecutorService::shutdownNow);
        waiting.forEach(fault -> say.accept("--fail: rank " + fault.rank() + " was not killed "
                + Durations.format(fault.after()) + " after its start: this run was over before"));
        waiting.clear();
    }
}
