package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.VerdictText;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;
import java.util.OptionalInt;

/** Starts processes, and tells when others may count on them. Only the event loop touches it. */
final class Starter {

    private final Effects effects;
    private final Events clock;
    private final ConditionWatch conditions;
    private final Company company;
    private final Ending ending;
    private final ExitCodes exitCodes;

    /** @param exitCodes which code the launcher ends with, for processes that pass it on */
    Starter(
            Effects effects,
            Events clock,
            ConditionWatch conditions,
            Company company,
            Ending ending,
            ExitCodes exitCodes) {
        this.effects = effects;
        this.clock = clock;
        this.conditions = conditions;
        this.company = company;
        this.ending = ending;
        this.exitCodes = exitCodes;
    }

    void start(Supervised process) {
        process.starting(clock.now());
        OptionalInt exitCode = ending.isOpen() ? OptionalInt.empty() : OptionalInt.of(exitCodes.of(ending.cause()));
        Optional<String> reason = ending.known().map(VerdictText::shortly);
        process.started(effects.start(process.spec(), new LateValues(conditions.addresses(), exitCode, reason)));
        company.started(process);
        tellIfReady(process, clock.now());
    }

    /** A task serves once it has been started, a service when the plan says so. */
    void tellIfReady(Supervised process, long when) {
        boolean serves =
                !(process.spec() instanceof ProcessSpec.Service service) || conditions.isMet(service.readyWhen());
        if (serves && process.isRunning() && process.wasStarted() && !process.isReady()) {
            process.becomeReady();
            company.ready(process, when);
            conditions.ready(process.id(), when);
        }
    }
}
