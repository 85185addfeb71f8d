package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.spi.ProcessSpec;

/** Starts processes, and tells when others may count on them. Only the event loop touches it. */
final class Starter {

    private final Effects effects;
    private final Events clock;
    private final ConditionWatch conditions;
    private final Company company;

    Starter(Effects effects, Events clock, ConditionWatch conditions, Company company) {
        this.effects = effects;
        this.clock = clock;
        this.conditions = conditions;
        this.company = company;
    }

    void start(Supervised process) {
        process.starting(clock.now());
        if (process.spec() instanceof ProcessSpec.Service service
                && service.kept().isPresent()
                && effects.makeWay(service)) {
            // What serves no more may have been seen serving.
            conditions.again(service.readyWhen());
        }
        process.started(effects.start(process.spec()));
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
