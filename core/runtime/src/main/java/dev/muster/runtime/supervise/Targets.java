package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The processes that are stopped together, as far as they were ever started. */
final class Targets {

    private final List<Supervised> all;
    private final StopTimes times;

    Targets(Collection<Supervised> processes, StopTimes times) {
        this.all = processes.stream().filter(Supervised::wasStarted).toList();
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
        return all.stream().anyMatch(Supervised::isRunning);
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
