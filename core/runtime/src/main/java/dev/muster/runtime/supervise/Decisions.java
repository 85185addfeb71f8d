package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Begins the end of this node's part: finds what ends it, and lets everybody know whom it concerns. Only the event loop touches it. */
final class Decisions {

    private static final int MOST_LOOKED_AT = 64;

    private final Judge judge;
    private final Ending ending;
    private final Roster roster;
    private final Company company;
    private final Respite respite;
    private final Announcements announcements;
    private final RankWatch ranks;
    private final ConditionWatch conditions;
    private final Effects effects;
    private final Events clock;
    private final PhotoFinish finish;
    private final CardFaults faults;
    /** Whose ends are told once it is known which of them ends the job. */
    private final List<Supervised> untold = new ArrayList<>();

    Decisions(
            Judge judge,
            Ending ending,
            Roster roster,
            Company company,
            Respite respite,
            Announcements announcements,
            RankWatch ranks,
            ConditionWatch conditions,
            PhotoFinish finish,
            CardFaults faults,
            Effects effects,
            Events clock) {
        this.judge = judge;
        this.ending = ending;
        this.roster = roster;
        this.company = company;
        this.respite = respite;
        this.announcements = announcements;
        this.ranks = ranks;
        this.conditions = conditions;
        this.finish = finish;
        this.faults = faults;
        this.effects = effects;
        this.clock = clock;
    }

    /** A process has ended. What hosts ranks may have failed because of one of them. */
    void ended(Supervised process) {
        if (finish.isOn()) {
            untold.add(process);
            return;
        }
        if (ending.isOpen()) {
            Optional<Cause> cause = judge.ended(process);
            if (cause.isPresent() && cause.get() instanceof Cause.OfProcess && finish.begins(process)) {
                untold.add(process);
                return;
            }
            cause.ifPresent(known -> begin(process, known));
        } else if (ending.forgives(process)) {
            process.forgive();
        }
        tell(process);
    }

    /** A failure is known, and not yet whether it was the first. */
    boolean isPending() {
        return finish.isOn() || faults.isHolding();
    }

    /** When {@link #goOn} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        return finish.isOn() ? finish.nextLook() : faults.nextLook();
    }

    /** Decides what can be decided now. */
    void goOn() {
        if (finish.isOn() && finish.isOver()) {
            sortOut();
        }
        if (!finish.isOn() && faults.isOver()) {
            settle();
        } else if (!isPending() && ending.isOpen()) {
            faults.cause().ifPresent(fault -> begin(fault, clock.now()));
        }
    }

    /** Something else happens, which may be an end too: what has failed before has failed before. */
    void settle() {
        sortOut();
        faults.release(this::beginNow);
    }

    private void sortOut() {
        if (finish.isOn()) {
            Supervised first = finish.end();
            judge.ended(first).ifPresent(cause -> begin(first, cause));
            untold.forEach(this::tell);
            untold.clear();
        }
    }

    private void begin(Supervised process, Cause cause) {
        begin(
                cause,
                process.endedAt(),
                process.spec().hosted().isPresent() ? ranks.explaining(cause) : Optional.empty());
    }

    /** A failure is told before the end that it is: whoever waits for the end must not take it for a success. */
    private void tell(Supervised process) {
        company.ended(process);
        conditions.ended(process.id(), process.endedAt());
    }

    /** A condition has come true. */
    void met(Condition condition, long when) {
        settle();
        if (ending.isOpen()) {
            judge.met(condition).ifPresent(cause -> begin(cause, when));
        }
    }

    /** The job ends elsewhere. A rank of this node may be the origin. */
    void obey(Cause elsewhere, long when) {
        settle();
        begin(elsewhere, when, ending.isOpen() ? ranks.explaining(elsewhere) : Optional.empty());
    }

    /** A rank that a process of the plan hosts has failed. */
    void failed(RankNotes.Failed rank) {
        ending.isOfHostedRank();
        begin(ranks.cause(rank), rank.nanoTime());
    }

    /** The launcher was told to stop, or something of it was killed, and nobody can tell it anything any more. */
    void interrupted(Event.SignalReceived signal) {
        begin(Interruption.by(signal.signal(), signal.number()), signal.nanoTime());
    }

    /** A rank's failure may turn out to be the fault of its card. */
    void begin(Cause cause, long when) {
        if (!ending.isOpen() || !faults.holds(cause, when)) {
            beginNow(cause, when);
        }
    }

    private void beginNow(Cause cause, long when) {
        if (cause instanceof Cause.OfProcess) {
            lookWhoCatchesTerm();
        }
        ending.begin(cause, when, clock.now());
        company.ended(ending);
        respite.begin(cause, when);
        announcements.decided(cause);
        giveUpTheWaiting();
    }

    private void begin(Cause cause, long when, Optional<RankNotes.Failed> origin) {
        origin.ifPresentOrElse(this::failed, () -> begin(cause, when));
    }

    /** Not where it would take long: it only tells whether another failure at the same time is named. */
    private void lookWhoCatchesTerm() {
        List<Supervised> running =
                roster.tasks().stream().filter(Supervised::isRunning).toList();
        if (running.size() <= MOST_LOOKED_AT) {
            running.forEach(process -> process.catchesTerm(effects.catchesTerm(process.pid())));
        }
    }

    /** What is never going to be started has ended, for those that wait for its end: here, and on other nodes. */
    private void giveUpTheWaiting() {
        for (Supervised process : roster.all()) {
            if (process.isWaiting() && !(process.spec() instanceof ProcessSpec.Step)) {
                company.neverStarted(process, clock.now());
                conditions.ended(process.id(), clock.now());
            }
        }
    }
}
