package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The processes that are stopped together, as far as they were ever started. */
final class Targets {

    private final List<Supervised> all;
    private final Set<Supervised> staying;
    private final StopTimes times;

    /** @param staying those of them that go on, while all that they have started is ended */
    Targets(Collection<Supervised> processes, Set<Supervised> staying, StopTimes times) {
        this.all = processes.stream().filter(Supervised::wasStarted).toList();
        this.staying = Set.copyOf(staying);
        this.times = times;
    }

    List<Supervised> all() {
        return all;
    }

    /** The process groups that they lead, or led. */
    List<Long> groups() {
        return all.stream().map(Supervised::pid).toList();
    }

    boolean anyRunning() {
        return all.stream().anyMatch(this::isToEnd);
    }

    /** Whether a process runs and is not one that goes on. */
    boolean isToEnd(Supervised process) {
        return process.isRunning() && !staying.contains(process);
    }

    /** Whether a process is one that goes on, or has the pid of one. */
    boolean isStaying(Supervised process) {
        return staying.contains(process) && process.isRunning();
    }

    boolean isStaying(long pid) {
        return staying.stream().anyMatch(process -> process.pid() == pid && process.isRunning());
    }

    /** From the signal to KILL. */
    Duration grace() {
        return all.isEmpty() ? Duration.ZERO : times.grace();
    }

    /** When they are killed if the signal comes now. */
    long end(long now) {
        return all.isEmpty() ? now : times.end(now);
    }

    /** Which of them left a process behind, in words. */
    String ownerOf(Effects.Survivor survivor) {
        for (Supervised process : all) {
            long pid = process.pid();
            if (pid == survivor.group() || pid == survivor.session()) {
                return ProcessNames.of(process.spec()) + " (pid " + pid + ")";
            }
        }
        return "a process of this job";
    }
}
