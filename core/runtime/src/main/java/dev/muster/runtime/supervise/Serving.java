package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/**
 * Services that others need while the job is being stopped, as workers of other nodes need a ps for their checkpoints: they go on until
 * these have ended, or the grace period is over. Only the event loop touches it.
 */
final class Serving {

    private final Roster roster;
    private final StopTimes times;
    private final ConditionWatch conditions;
    private final Others others;
    private final Effects effects;
    private final Events clock;
    private final Ending ending;
    private boolean isTold;

    @Inject
    Serving(
            Roster roster,
            StopTimes times,
            ConditionWatch conditions,
            Others others,
            Effects effects,
            Events clock,
            Ending ending) {
        this.roster = roster;
        this.times = times;
        this.conditions = conditions;
        this.others = others;
        this.effects = effects;
        this.clock = clock;
        this.ending = ending;
    }

    /** Whether it lasts. */
    boolean isOn() {
        if (others.stopsAlone() || !ending.isAskedFor() || clock.now() >= end()) {
            return false;
        }
        List<ProcessSpec> needed = roster.running().stream()
                .filter(process -> neededUntil(process)
                        .filter(condition -> !conditions.isMet(condition))
                        .isPresent())
                .toList();
        if (!needed.isEmpty() && !isTold) {
            isTold = true;
            effects.say(ProcessNames.count(needed) + " that others need: going on until "
                    + Conditions.describe(neededUntil(needed.get(0)).orElseThrow()));
        }
        return !needed.isEmpty();
    }

    /** When {@link #isOn} must be asked again even if nothing happens. */
    long end() {
        return times.end(ending.knownSince());
    }

    private static Optional<Condition> neededUntil(ProcessSpec process) {
        return process instanceof ProcessSpec.Service service ? service.neededUntil() : Optional.empty();
    }
}
