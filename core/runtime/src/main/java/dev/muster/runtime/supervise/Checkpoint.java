package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.process.ProcessSupervisor.SignalScope;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The time that ranks have to save what they have before they get TERM, where the user has named a signal for that: they get it when
 * the job is stopped. Only the event loop touches it.
 */
final class Checkpoint {

    /** Before KILL, for what a program does at TERM. At most half of the grace. */
    private static final Duration FOR_TERM = Duration.ofSeconds(15);

    private final StopTimes times;
    private final Roster roster;
    private final ConditionWatch conditions;
    private final Effects effects;
    private final Events clock;
    private boolean isBegun;
    private long since;

    @Inject
    Checkpoint(StopTimes times, Roster roster, ConditionWatch conditions, Effects effects, Events clock) {
        this.times = times;
        this.roster = roster;
        this.conditions = conditions;
        this.effects = effects;
        this.clock = clock;
    }

    /** Whether it lasts; begins when it is first asked for after a stop. */
    boolean isOn(Ending ending) {
        if (times.checkpointSignal().isEmpty() || !ending.isAskedFor()) {
            return false;
        }
        if (!isBegun) {
            begin();
        }
        return clock.now() < end() && roster.all().stream().anyMatch(this::isMeant);
    }

    /** When {@link #isOn} must be asked again even if nothing happens. */
    OptionalLong nextLook() {
        return isBegun ? OptionalLong.of(end()) : OptionalLong.empty();
    }

    /** The grace has changed, and counts from now. */
    void putOff() {
        if (isBegun) {
            countFromNow();
        }
    }

    private void countFromNow() {
        since = clock.now();
        times.countFrom(since);
    }

    /** When ranks get TERM. */
    private long end() {
        long grace = times.grace().toNanos();
        return since + Math.max(grace - FOR_TERM.toNanos(), grace / 2);
    }

    private void begin() {
        isBegun = true;
        countFromNow();
        String signal = times.checkpointSignal().orElseThrow();
        int number = SignalNames.number(signal).orElseThrow();
        List<ProcessSpec> ofPlan = new ArrayList<>();
        boolean isAnyHosted = false;
        for (Supervised process : roster.all()) {
            boolean isHost = process.spec().hosted().isPresent();
            if (isMeant(process)) {
                // Whoever has no handler for it dies of it, which is what was asked for.
                process.signalled(clock.now());
                effects.signal(process.processId(), number, isHost ? SignalScope.RANKS : SignalScope.LEADER);
                isAnyHosted |= isHost;
                if (!isHost) {
                    ofPlan.add(process.spec());
                }
            }
        }
        if (isAnyHosted || !ofPlan.isEmpty()) {
            String ranks = ofPlan.isEmpty() ? "hosted ranks" : ProcessNames.count(ofPlan);
            effects.say("SIG" + signal + " to " + ranks + "; SIGTERM follows in "
                    + Durations.format(Duration.ofNanos(end() - since)));
        }
    }

    /** A service that hosts ranks runs for as long as its host on another node does. */
    private boolean isMeant(Supervised process) {
        boolean isHosting = process.spec()
                .hosted()
                .filter(ranks -> !conditions.isMet(ranks.until()))
                .isPresent();
        return process.isRunning() && (process.spec() instanceof ProcessSpec.Task || isHosting);
    }
}
