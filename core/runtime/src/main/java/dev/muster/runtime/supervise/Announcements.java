package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.util.List;

/** What the user hears of the course of a job. Only the event loop touches it. */
final class Announcements {

    private final Roster roster;
    private final StopTimes times;
    private final Effects effects;
    private boolean isStartAnnounced;

    Announcements(Roster roster, StopTimes times, Effects effects) {
        this.roster = roster;
        this.times = times;
        this.effects = effects;
    }

    /** Once, when the tasks run; services that start later are not waited for. */
    void start() {
        List<Supervised> awaited = roster.tasks().isEmpty() ? roster.services() : roster.tasks();
        if (!isStartAnnounced && awaited.stream().noneMatch(Supervised::isWaiting)) {
            isStartAnnounced = true;
            List<ProcessSpec> started = roster.all().stream()
                    .filter(process -> !(process.spec() instanceof ProcessSpec.Step))
                    .filter(process -> !process.isWaiting() && !process.isDropped())
                    .map(Supervised::spec)
                    .toList();
            if (!started.isEmpty()) {
                effects.say("started " + ProcessNames.count(started) + ": " + ProcessNames.list(started));
            }
        }
    }

    /** What ends the job. */
    void decided(Cause cause) {
        if (cause instanceof Cause.ProcessFailed failed) {
            effects.say(ProcessNames.of(failed.process()) + " (pid " + failed.pid() + ") failed: "
                    + failed.termination().describe() + (times.patience().isZero() ? stopping() : leftToEnd()));
        } else if (cause instanceof Cause.StoppedFromOutside stop) {
            effects.say(ProcessNames.of(stop.process()) + " (pid " + stop.pid() + ") ended with "
                    + stop.termination().describe() + "; " + VerdictText.NOT_OURS + ", so the job is being stopped"
                    + leftInPeace());
        } else if (cause instanceof Cause.Interrupted interrupted) {
            effects.say("received SIG" + interrupted.signal() + stopping());
        } else if (cause instanceof Cause.Decided outcome) {
            effects.say(outcome.reason() + stopping());
        } else if (cause instanceof Cause.Elsewhere elsewhere) {
            effects.say(VerdictText.briefly(elsewhere.end()) + stopping());
        }
    }

    /** Whoever still runs is stopped by us now. */
    void respiteOver() {
        List<ProcessSpec> others = roster.running();
        if (!others.isEmpty()) {
            effects.say("stopping " + ProcessNames.count(others) + ": " + ProcessNames.list(others) + graceText());
        }
    }

    /** A service is not needed any more. */
    void notNeeded(Supervised service, String consequence) {
        effects.say(ProcessNames.of(service.spec()) + " is not needed any more; " + consequence);
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
}
