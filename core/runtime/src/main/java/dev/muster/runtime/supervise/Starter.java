package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Starts processes, and tells when others may count on them. Only the event loop touches it. */
final class Starter {

    private final Effects effects;
    private final Events clock;
    private final ConditionWatch conditions;
    private final Company company;
    private final Roster roster;
    private final Announcements announcements;
    private final Progress progress;

    @Inject
    Starter(
            Effects effects,
            Events clock,
            ConditionWatch conditions,
            Company company,
            Roster roster,
            Announcements announcements,
            Progress progress) {
        this.effects = effects;
        this.clock = clock;
        this.conditions = conditions;
        this.company = company;
        this.roster = roster;
        this.announcements = announcements;
        this.progress = progress;
    }

    /**
     * Starts what may start, in the order of the plan.
     *
     * @param goesOn asked before each start; it obeys what has happened meanwhile, above all a signal
     * @return what ends the job, where it has waited too long
     */
    Optional<Cause> startReady(BooleanSupplier goesOn) {
        for (Supervised process : roster.all()) {
            if (!(process.spec() instanceof ProcessSpec.Hook) && process.isWaiting() && process.mayStart()) {
                if (!goesOn.getAsBoolean()) {
                    return Optional.empty();
                }
                start(process);
            }
        }
        announcements.start();
        return progress.look();
    }

    /** When {@link #startReady} should be called again. */
    OptionalLong nextLook() {
        return progress.nextLook();
    }

    /** A condition has come true. */
    void met(Condition condition, long when) {
        for (Supervised process : roster.all()) {
            if (process.spec().startWhen().equals(condition)) {
                process.allowStart();
            }
            tellIfReady(process, when);
        }
    }

    void start(Supervised process) {
        process.starting(clock.now());
        if (process.spec() instanceof ProcessSpec.Service service
                && service.keptFiles().isPresent()
                && effects.makeWay(service)) {
            // What serves no more may have been seen serving.
            conditions.again(service.readyWhen());
        }
        process.started(effects.start(process.spec()));
        company.started(process);
        tellIfReady(process, clock.now());
    }

    /** A task serves once it has been started, a service when the plan says so. */
    private void tellIfReady(Supervised process, long when) {
        boolean serves =
                !(process.spec() instanceof ProcessSpec.Service service) || conditions.isMet(service.readyWhen());
        if (serves && process.isRunning() && process.wasStarted() && !process.isReady()) {
            process.becomeReady();
            company.ready(process, when);
        }
    }
}
