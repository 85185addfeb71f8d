package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;

/** Plans and their parts, for tests. */
final class Specs {

    /** A condition that never comes true. */
    static final Condition NEVER = exited("nobody@nowhere");

    private Specs() {}

    static Event ended(String id, int code, long when) {
        return new Event.Ended(id, Termination.exited(code), when);
    }

    static LaunchPlan plan(Outcome outcome, ProcessSpec... processes) {
        return LaunchPlan.builder(outcome).processes(List.of(processes)).build();
    }

    static Outcome cases(Outcome.Case... cases) {
        return Outcome.firstOf(List.of(cases));
    }

    static Outcome.Case decides(Condition when, int exitCode, String reason) {
        return new Outcome.Case(when, exitCode, reason);
    }

    static Condition exited(String... ids) {
        return Condition.exited(List.of(ids));
    }

    static ProcessSpec task(String id) {
        return task(id, Condition.IMMEDIATELY);
    }

    static ProcessSpec task(String id, Condition startWhen) {
        return ProcessSpec.task(id, launch()).withStartWhen(startWhen);
    }

    static ProcessSpec service(String id, boolean mayEnd) {
        ProcessSpec.Service service = ProcessSpec.service(id, launch());
        return mayEnd ? service.withMayEnd() : service;
    }

    /** Times with a grace, and with no other short limit. */
    static StopTimes times(Duration grace) {
        return times(grace, Duration.ofSeconds(2), Duration.ZERO, Duration.ofDays(1));
    }

    static StopTimes times(Duration grace, Duration externalTermDelay, Duration patience, Duration forPorts) {
        return new StopTimes(RunSettings.StopSettings.of(grace, patience), externalTermDelay, forPorts);
    }

    static Launch launch() {
        return new Launch(List.of(Value.of("true")), EnvironmentChange.NONE, "/", "log");
    }
}
