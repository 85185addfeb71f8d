package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;

/** Begins the end of this node's part: finds what ends it, and lets everybody know whom it concerns. Only the event loop touches it. */
final class Decisions {

    private static final String KILLED = "its launcher was killed (the shell of bin/muster is gone)";

    private final Judge judge;
    private final Ending ending;
    private final Roster roster;
    private final Company company;
    private final Respite respite;
    private final Announcements announcements;
    private final RankWatch ranks;
    private final ConditionWatch conditions;
    private final Events clock;

    Decisions(
            Judge judge,
            Ending ending,
            Roster roster,
            Company company,
            Respite respite,
            Announcements announcements,
            RankWatch ranks,
            ConditionWatch conditions,
            Events clock) {
        this.judge = judge;
        this.ending = ending;
        this.roster = roster;
        this.company = company;
        this.respite = respite;
        this.announcements = announcements;
        this.ranks = ranks;
        this.conditions = conditions;
        this.clock = clock;
    }

    /** A process has ended. What hosts ranks may have failed because of one of them. */
    void ended(Supervised process, long when) {
        if (ending.isOpen()) {
            judge.ended(process)
                    .ifPresent(cause -> begin(
                            cause,
                            when,
                            process.spec().hosted().isPresent() ? ranks.explaining(cause) : Optional.empty()));
        } else if (ending.forgives(process)) {
            process.forgive();
        }
    }

    /** A condition has come true. */
    void met(Condition condition, long when) {
        if (ending.isOpen()) {
            judge.met(condition).ifPresent(cause -> begin(cause, when));
        }
    }

    /** The job ends elsewhere. A rank of this node may be the origin. */
    void obey(Cause elsewhere, long when) {
        begin(elsewhere, when, ending.isOpen() ? ranks.explaining(elsewhere) : Optional.empty());
    }

    /** A rank that a process of the plan hosts has failed. */
    void failed(RankNotes.Failed rank) {
        ending.isOfHostedRank();
        begin(ranks.cause(rank), rank.nanoTime());
    }

    /** The launcher was told to stop, or something of it was killed, and nobody can tell it anything any more. */
    void interrupted(Event.SignalReceived signal) {
        if (signal.signal().equals(Signals.KILLED)) {
            begin(new Cause.Decided(ExitCode.TEMPORARY.code(), KILLED), signal.nanoTime());
        } else {
            begin(new Cause.Interrupted(signal.signal(), signal.number()), signal.nanoTime());
        }
    }

    void begin(Cause cause, long when) {
        ending.begin(cause, when, clock.now());
        company.ended(ending);
        respite.begin(cause, when);
        announcements.decided(cause);
        giveUpTheWaiting();
    }

    private void begin(Cause cause, long when, Optional<RankNotes.Failed> origin) {
        origin.ifPresentOrElse(this::failed, () -> begin(cause, when));
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
