package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Kills ranks of a simulated job at the times that {@code --fail} gives, counted from their start. */
final class FaultTimer implements AutoCloseable {

    private final Consumer<StartedProcess> kill;
    private final Consumer<String> say;
    private final List<Fault> waiting;
    private final Set<String> ended = new HashSet<>();
    private final Optional<ScheduledExecutorService> clock;

    /**
     * @param faults of this attempt
     * @param kill sends SIGKILL to a process that still runs
     */
    FaultTimer(List<Fault> faults, Consumer<StartedProcess> kill, Consumer<String> say) {
        this.kill = kill;
        this.say = say;
        this.waiting = new ArrayList<>(faults);
        this.clock = faults.isEmpty()
                ? Optional.empty()
                : Optional.of(Executors.newSingleThreadScheduledExecutor(Daemon.named("faults")));
    }

    /** A rank runs now. */
    synchronized void onStarted(String rank, StartedProcess process) {
        for (Fault fault : List.copyOf(waiting)) {
            if (fault.rank().equals(rank)) {
                // No code waits for this future: the attempt may end before.
                Future<?> unused = clock.orElseThrow()
                        .schedule(() -> killRank(fault, process), fault.after().toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    /** A rank has ended. */
    synchronized void onEnded(String rank) {
        ended.add(rank);
    }

    private synchronized void killRank(Fault fault, StartedProcess process) {
        if (!ended.contains(fault.rank()) && waiting.remove(fault)) {
            // Printed before the kill, so that the line about the end comes later.
            say.accept("--fail: killing rank " + fault.rank() + " (pid " + process.pid() + ") "
                    + Durations.format(fault.after()) + " after its start");
            kill.accept(process);
        }
    }

    /** The attempt is over: no rank is killed any more. */
    @Override
    public synchronized void close() {
        clock.ifPresent(ScheduledExecutorService::shutdownNow);
        waiting.forEach(fault -> say.accept("--fail: rank " + fault.rank() + " was not killed "
                + Durations.format(fault.after()) + " after its start: this run was over before"));
        waiting.clear();
    }
}
