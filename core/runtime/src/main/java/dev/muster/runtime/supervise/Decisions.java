package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Begins the end of this node's part: finds what ends it, and lets everybody know whom it concerns. Only the event loop touches it. */
final class Decisions {

    /** How often somebody looks whether a rank that is not of the plan has ended. */
    private static final long PAUSE = Duration.ofMillis(500).toNanos();

    private final Judge judge;
    private final Ending ending;
    private final Company company;
    private final Announcements announcements;
    private final Events clock;
    private final FirstFailureResolver failures;
    private final CardFaults faults;
    /** Whose ends are told once it is known which of them ends the job. */
    private final List<Supervised> untold = new ArrayList<>();

    @Inject
    Decisions(
            Judge judge,
            Ending ending,
            Company company,
            Announcements announcements,
            FirstFailureResolver failures,
            CardFaults faults,
            Events clock) {
        this.judge = judge;
        this.ending = ending;
        this.company = company;
        this.announcements = announcements;
        this.failures = failures;
        this.faults = faults;
        this.clock = clock;
    }

    /** A process has ended. */
    void ended(Event.Ended event) {
        Supervised process = judge.process(event.id());
        process.ended(event);

        if (ending.isOpen()) {
            if (judge.isFailure(process)) {
                failures.failed(process, clock.now());
            }
            if (failures.isPending()) {
                untold.add(process);
                return;
            }
            judge.ended(process).ifPresent(cause -> begin(cause, process.endedAt()));
        } else if (ending.forgives(process)) {
            process.forgive();
        } else {
            reconsider(process);
        }
        tell(process);
    }

    /** The job ends because of a failure, and one that came before may become known only now. */
    private void reconsider(Supervised ended) {
        boolean wasSearching = failures.isSearching();
        if (failures.isEarlier(ended)) {
            failures.end();
            ended.hasFailedBefore();
            judge.ended(ended).ifPresent(cause -> {
                ending.turnOutToBe(cause);
                announcements.failedBefore(ended);
                company.ended(ending, false, false);
            });
        } else if (wasSearching && !failures.isSearching()) {
            company.heed();
        }
    }

    /** The platform's list of faults says something else than before. */
    void seen(ResetFile.Seen faultsNow) {
        faults.heard(faultsNow);
    }

    /** A failure is known, and not yet whether it was the first. */
    boolean isPending() {
        return failures.isPending() || faults.isHolding();
    }

    /** When {@link #goOn} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        if (failures.isPending()) {
            return OptionalLong.of(FirstFailureResolver.nextLook(clock.now()));
        }
        return faults.nextLook().isEmpty() && ending.isOpen() && judge.hasHosts()
                ? OptionalLong.of(clock.now() + PAUSE)
                : faults.nextLook();
    }

    /** Decides what can be decided now. */
    void goOn() {
        if (failures.areKnown(clock.now())) {
            sortOut();
        }
        if (faults.isOver()) {
            settle();
        } else if (!isPending() && ending.isOpen()) {
            faults.cause().or(judge::hostedRankEnded).ifPresent(cause -> begin(cause, clock.now()));
        }
    }

    /** Something else happens, which may be an end too: what has failed before has failed before. */
    void settle() {
        sortOut();
        faults.release(this::beginNow);
    }

    private void sortOut() {
        if (failures.isPending()) {
            Supervised first = failures.first();
            judge.ended(first).ifPresent(cause -> begin(cause, first.endedAt()));
            untold.stream()
                    .filter(other -> other != first && !ending.isOpen() && ending.forgives(other))
                    .forEach(Supervised::forgive);
            untold.forEach(this::tell);
            untold.clear();
        }
    }

    /** A failure is told before the end that it is: whoever waits for the end must not take it for a success. */
    private void tell(Supervised process) {
        company.ended(process);
    }

    /** A condition has come true. */
    void met(Condition condition, long when) {
        settle();
        if (ending.isOpen()) {
            judge.met(condition).ifPresent(cause -> begin(cause, when));
        }
    }

    /** The job ends elsewhere. */
    void obey(Cause elsewhere, long when) {
        settle();
        if (ending.isOpen() || ending.isSuccess()) {
            begin(elsewhere, when);
        } else {
            company.heed();
        }
    }

    /** The supervisor was killed. */
    void killed() {
        settle();
        begin(Interruption.killed(), clock.now());
    }

    /** The launcher was told to stop. */
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
        ending.begin(cause, when, clock.now());
        boolean isConsequence = failures.isConsequence(cause);
        if (isConsequence || isFailureElsewhere(cause)) {
            failures.search();
        }
        if (isConsequence || failures.isSearching()) {
            ending.becomeDoubtful();
        }
        company.ended(ending, isConsequence, failures.isSearching());
        announcements.decided(cause);
        company.giveUpTheWaiting(clock.now());
    }

    private static boolean isFailureElsewhere(Cause cause) {
        return cause instanceof Cause.Elsewhere elsewhere && elsewhere.end().kind() == JobEnd.Kind.FAILED;
    }
}
