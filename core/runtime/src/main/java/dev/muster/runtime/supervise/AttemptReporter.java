package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Objects;

/** Prints lines for the user about the course of an attempt. Only the event loop uses it. */
final class AttemptReporter {

    private final AttemptState state;
    private final ProcessRegistry processes;
    private final StopTimes times;
    private boolean isStartAnnounced;

    AttemptReporter(AttemptState state) {
        this.state = state;
        this.processes = state.processes();
        this.times = state.times();
    }

    /** Prints the started processes, once: when no task waits any more. It does not wait for services that start later. */
    void reportStart() {
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
            state.effects().onRunning(started.size());
            if (!started.isEmpty()) {
                state.say("started " + ProcessNames.count(started) + ": " + ProcessNames.list(started));
            }
        }
    }

    /** What ends the job. */
    void reportCause(Cause cause) {
        if (cause instanceof Cause.OfProcess ended) {
            state.say(ofProcess(ended));
        } else if (cause instanceof Cause.Interrupted interrupted) {
            String what = interrupted.signal().title();
            state.say((interrupted.signal().isTimeLimit() ? what + " is over" : "received " + what) + stopText());
        } else if (cause instanceof Cause.Elsewhere elsewhere) {
            state.say(VerdictText.brief(elsewhere.end()) + stopText());
        } else if (cause instanceof Cause.Stated stated) {
            boolean isOutcome = stated instanceof Cause.Decided decided && !decided.isFault();
            state.say(stated.reason() + (isOutcome ? stopText() : ""));
        }
    }

    private String ofProcess(Cause.OfProcess ended) {
        String name = VerdictText.name(ended.process(), ended.pid());
        String how = ended.termination().describe();
        if (ended instanceof Cause.StoppedFromOutside) {
            return name + " ended with " + how + "; " + VerdictText.NOT_OURS + ", so the job is being stopped"
                    + externalTermText();
        }
        return name + " failed: " + how + (times.endDelay().isZero() ? stopText() : endDelayText());
    }

    /** Reports that this process, which ends only now, failed before the one that was reported. */
    void reportEarlier(SupervisedProcess process) {
        state.say(VerdictText.name(process.spec(), process.pid()) + " had failed before: "
                + Objects.requireNonNull(process.termination()).describe());
    }

    /** This process still runs, but its failure may have caused the failure that ended first. */
    void reportSuspect(SupervisedProcess process) {
        state.say(VerdictText.name(process.spec(), process.pid())
                + " still runs, and has told of a failure of its own before: see its log");
    }

    private String stopText() {
        List<ProcessSpec> others = processes.running();
        return others.isEmpty() ? "" : "; stopping " + ProcessNames.count(others) + times.graceText();
    }

    private String endDelayText() {
        List<ProcessSpec> others = processes.running().stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
        return others.isEmpty()
                ? ""
                : "; giving " + ProcessNames.count(others) + " " + Durations.format(times.endDelay())
                        + (others.size() == 1 ? " to end by itself" : " to end by themselves");
    }

    private String externalTermText() {
        List<ProcessSpec> others = processes.running();
        return others.isEmpty()
                ? ""
                : "; waiting " + Durations.format(times.externalTermDelay()) + " for " + ProcessNames.count(others)
                        + " that may have got it too";
    }
}
