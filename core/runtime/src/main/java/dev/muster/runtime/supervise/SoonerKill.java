package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Kills some of those that are being stopped before the grace of all is over. Only the event loop touches it. */
final class SoonerKill {

    private final List<Supervised> processes;
    private final long at;
    private final Effects effects;
    private final Events clock;
    private boolean isDone;

    /** @param after how long from now */
    SoonerKill(List<Supervised> processes, Duration after, Effects effects, Events clock) {
        this.processes = processes;
        this.at = clock.now() + after.toNanos();
        this.effects = effects;
        this.clock = clock;
    }

    /** Kills them when it is time. */
    void advance() {
        if (isDone || clock.now() < at) {
            return;
        }
        isDone = true;
        List<Supervised> left = processes.stream().filter(Supervised::isRunning).toList();
        if (!left.isEmpty()) {
            left.forEach(process -> process.signalled(clock.now()));
            effects.say("SIGKILL to what has a fault: "
                    + ProcessNames.list(left.stream().map(Supervised::spec).toList()));
            effects.signalGroups("KILL", left.stream().map(Supervised::pid).toList());
        }
    }

    /** When {@link #advance} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        return isDone ? OptionalLong.empty() : OptionalLong.of(at);
    }
}
