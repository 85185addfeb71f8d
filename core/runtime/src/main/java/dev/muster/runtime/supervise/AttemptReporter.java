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
final class AttemptReporter {

    private final AttemptState state;
    private final ProcessRegistry processes;
    private final StopTimes times;
    private boolean isStartAnnounced;

    @Inject
    AttemptReporter(AttemptState state) {
        this.state = state;
        this.processes = state.processes();
        this.times = state.times();
    }

    /** Once, when the tasks run; services that start later are not waited for. */
    void start() {
        if (isStartAnnounced) {
            return;
        }
        List<SupervisedProcess> awaited = processes.tasks().isEmpty() ? processes.services() : processes.tasks();
        if (awaited.stream().noneMatch(SupervisedProcess::isWaiting)) {
            isStartAnnounced = true;
            List<ProcessSpec> started = processes.all().stream()
                    .filter(process -> !(process.spec() instanceof ProcessSpec.Hook))
                    .filter(process -> !process.isWaiting())
                    .map(SupervisedProcess::spec)
                    .toList();
            if (!started.isEmpty()) {
                state.say("started " + ProcessNames.count(started) + ": " + ProcessNames.list(started));
            }
        }
    }

    /** What ends the job. */
    void decided(Cause cause) {
        cause.fold(new Words()).ifPresent(state::say);
    }

    /** A process that ends only now had failed before the one that was taken for the first. */
    void failedBefore(SupervisedProcess process) {
        state.say(VerdictText.name(process.spec(), process.pid()) + " had failed before: "
                + Objects.requireNonNull(process.termination()).describe());
    }

    private String stopping() {
        List<ProcessSpec> others = processes.running();
        return others.isEmpty() ? "" : "; stopping " + ProcessNames.count(others) + times.graceText();
    }

    private String leftToEnd() {
        List<ProcessSpec> others = processes.running().stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
        return others.isEmpty()
                ? ""
                : "; giving " + ProcessNames.count(others) + " " + Durations.format(times.patience())
                        + (others.size() == 1 ? " to end by itself" : " to end by themselves");
    }

    private String leftInPeace() {
        List<ProcessSpec> others = processes.running();
        return others.isEmpty()
                ? ""
                : "; waiting " + Durations.format(times.externalTermDelay()) + " for " + ProcessNames.count(others)
                        + " that may have got it too";
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
