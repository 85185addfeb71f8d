package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the user hears of the course of a job. Only the event loop touches it. */
final class Announcements {

    private final Roster roster;
    private final StopTimes times;
    private final Effects effects;
    private boolean isStartAnnounced;

    @Inject
    Announcements(Roster roster, StopTimes times, Effects effects) {
        this.roster = roster;
        this.times = times;
        this.effects = effects;
    }

    /** Once, when the tasks run; services that start later are not waited for. */
    void start() {
        if (isStartAnnounced) {
            return;
        }
        List<Supervised> awaited = roster.tasks().isEmpty() ? roster.services() : roster.tasks();
        if (awaited.stream().noneMatch(Supervised::isWaiting)) {
            isStartAnnounced = true;
            List<ProcessSpec> started = roster.all().stream()
                    .filter(process -> !(process.spec() instanceof ProcessSpec.Hook))
                    .filter(process -> !process.isWaiting())
                    .map(Supervised::spec)
                    .toList();
            if (!started.isEmpty()) {
                effects.say("started " + ProcessNames.count(started) + ": " + ProcessNames.list(started));
            }
        }
    }

    /** What ends the job. */
    void decided(Cause cause) {
        cause.fold(new Words()).ifPresent(effects::say);
    }

    /** A process that ends only now had failed before the one that was taken for the first. */
    void failedBefore(Supervised process) {
        effects.say(VerdictText.name(process.spec(), process.pid()) + " had failed before: "
                + Objects.requireNonNull(process.termination()).describe());
    }

    /** Whoever still runs is stopped by us now. */
    void respiteOver() {
        List<ProcessSpec> others = roster.running();
        if (!others.isEmpty()) {
            effects.say("stopping " + ProcessNames.count(others) + ": " + ProcessNames.list(others) + graceText());
        }
    }

    /** A second SIGINT. */
    void impatient() {
        effects.say("received SIGINT again; ending the grace period");
    }

    /** A signal that changes nothing. */
    void alreadyStopping(String signal) {
        effects.say("received SIG" + signal + "; already stopping" + graceText());
    }

    private String stopping() {
        List<ProcessSpec> others = roster.running();
        return others.isEmpty() ? "" : "; stopping " + ProcessNames.count(others) + graceText();
    }

    private String leftToEnd() {
        List<ProcessSpec> others = roster.running().stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
        return others.isEmpty()
                ? ""
                : "; giving " + ProcessNames.count(others) + " " + Durations.format(times.patience())
                        + (others.size() == 1 ? " to end by itself" : " to end by themselves");
    }

    private String leftInPeace() {
        List<ProcessSpec> others = roster.running();
        return others.isEmpty()
                ? ""
                : "; waiting " + Durations.format(times.respite()) + " for " + ProcessNames.count(others)
                        + " that may have got it too";
    }

    private String graceText() {
        return " (grace " + Durations.format(times.grace()) + ")";
    }

    /** What users hear of the end of a job when it begins. */
    private final class Words implements Cause.Cases<Optional<String>> {

        @Override
        public Optional<String> success(Cause.Success success) {
            return Optional.empty();
        }

        @Override
        public Optional<String> processFailed(Cause.ProcessFailed failed) {
            return Optional.of(VerdictText.name(failed.process(), failed.pid()) + " failed: "
                    + failed.termination().describe() + (times.patience().isZero() ? stopping() : leftToEnd()));
        }

        @Override
        public Optional<String> stoppedFromOutside(Cause.StoppedFromOutside stop) {
            return Optional.of(ProcessNames.of(stop.process()) + " (pid " + stop.pid() + ") ended with "
                    + stop.termination().describe() + "; " + VerdictText.NOT_OURS + ", so the job is being stopped"
                    + leftInPeace());
        }

        @Override
        public Optional<String> interrupted(Cause.Interrupted interrupted) {
            return Optional.of("received SIG" + interrupted.signal() + stopping());
        }

        @Override
        public Optional<String> decided(Cause.Decided outcome) {
            return Optional.of(outcome.reason() + (outcome.isFault() ? "" : stopping()));
        }

        @Override
        public Optional<String> elsewhere(Cause.Elsewhere elsewhere) {
            return Optional.of(VerdictText.briefly(elsewhere.end()) + stopping());
        }

        @Override
        public Optional<String> refused(Cause.Refused refused) {
            return Optional.of(refused.reason());
        }
    }
}
