package dev.muster.runtime.link;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Ends the job for all its launchers, and lets them go. */
final class Endings {

    /** How long a closed connection may take to come again, before its launcher counts as gone. */
    static final long RESUME = TimeUnit.SECONDS.toNanos(5);
    /** How long launchers that nobody must wait for may take to show themselves. */
    static final long SHOW = TimeUnit.SECONDS.toNanos(3);
    /** How much later than the leader a launcher may come that was started with it, on a busy machine. */
    private static final long COME = TimeUnit.SECONDS.toNanos(10);
    /** Beside the grace, for what a launcher does before and after it. */
    private static final long LEAVE = TimeUnit.SECONDS.toNanos(5);

    private final LinkSettings settings;
    private final Table table;
    private final Watching watching;
    private final Fate fate = new Fate();
    private final long openedAt;
    private boolean hasSucceeded;
    private boolean isWithdrawn;
    /** A launcher could not make or prepare its plan, unlike others: not two that do not fit together. */
    private boolean isRefused;
    /** Two do not fit together: most likely because one believes that there are more of them than there are. */
    private boolean isUnfit;
    /** How many cannot come any more: those of their names have come under others'. */
    private int misnamed;

    private Optional<String> reason = Optional.empty();
    /** When this launcher went on after it had stood still. */
    private OptionalLong wokenAt = OptionalLong.empty();

    Endings(LinkSettings settings, Table table, Watching watching, long openedAt) {
        this.settings = settings;
        this.table = table;
        this.watching = watching;
        this.openedAt = openedAt;
    }

    boolean isEnding() {
        return fate.isEnding() || isWithdrawn;
    }

    /** Ends this launcher's part alone, before its run has begun: the others find the one that leads in its place. */
    void withdraw(JobEnd end, long now) {
        if (!isEnding()) {
            isWithdrawn = true;
            table.ear().decided(end, now);
            table.ear().mayLeave();
        }
    }

    /** A launcher does not fit together with another: which is news to those who have not come yet. */
    void refuse(JobEnd end, long now) {
        isUnfit = true;
        end(end, now);
    }

    /** Two launchers have one name, so that one of the others is nobody's. */
    void refuseTwins(JobEnd end, long now) {
        misnamed++;
        refuse(end, now);
    }

    /** Something ended the job; not the cause of one launcher's part. */
    void end(JobEnd end, long now) {
        end(new Said.Over(end, now), table.own(), now);
    }

    private void end(Said.Over over, Seat seat, long now) {
        long patience = over.isConsequence() ? settings.grace().toNanos() : 0;
        fate.add(over, seat, now, patience).ifPresent(stop -> {
            table.all().stream()
                    .filter(other -> other == table.own() || other.isLive() || mayStillCome(other, now))
                    .forEach(fate::await);
            table.tellAll(stop);
        });
    }

    /** A launcher's part ended for a reason of its own. */
    void over(Seat seat, Said.Over over, long now) {
        seat.over(over);
        if (seat == table.own()) {
            table.ear().hasOwnCause(over.end());
        }
        isRefused |= over.end().mayBeOfOneNode();
        end(over, seat, now);
        if (!over.isConsequence()) {
            fate.answered(seat);
        }
    }

    void heeded(Seat seat) {
        seat.heeded();
        fate.answered(seat);
    }

    void succeeded(Seat seat, Said.Succeeded said) {
        seat.succeeded();
        fate.answered(seat);
        if (seat == table.own()) {
            hasSucceeded = true;
            reason = said.reason();
        } else if ((!isEnding() && !settings.run().gathers()) || hasSucceededAll()) {
            // Whose job may start again in place must be there for the next run.
            seat.release();
            table.tell(seat, new Order.MayLeave());
        }
    }

    private boolean hasSucceededAll() {
        return fate.decided()
                .filter(decided -> decided.end().kind() == JobEnd.Kind.SUCCESS)
                .isPresent();
    }

    /**
     * Others may have taken this launcher for lost since they said that they had succeeded, and be about to start again: they are
     * asked. Those of a job with one run have left, then.
     */
    void stoodStill(long now) {
        if (settings.run().gathers()) {
            wokenAt = OptionalLong.of(now);
            table.all()
                    .forEach(seat -> seat.talk().ifPresent(talk -> {
                        talk.ask();
                        table.outbox().touch(seat.name(), talk);
                    }));
        }
    }

    void left(Seat seat, int exitCode, long now) {
        seat.left(exitCode);
        fate.answered(seat);
        watching.gone(seat, now);
    }

    /** A launcher is gone, since this time. */
    void lose(Seat seat, String reason, long since, long now) {
        seat.lost();
        if (!seat.isReleased()) {
            end(new Said.Over(Ends.lost(seat.name(), seat.host(), reason), since), table.own(), now);
        }
        fate.answered(seat);
        watching.gone(seat, now);
    }

    /** Tells one who comes late what it has missed. */
    void tellBefore(Seat seat) {
        fate.stop().ifPresent(stop -> table.tell(seat, stop));
        fate.decided().ifPresent(decided -> table.tell(seat, decided));
    }

    /** Decides what can be decided. */
    void look(long now) {
        if (fate.isRipe(now)) {
            table.all().forEach(seat -> blameTheAbsent(seat, now));
            decided(fate.decide(now), now);
        } else if (hasSucceeded && !isEnding() && table.all().stream().allMatch(seat -> isDone(seat, now))) {
            decided(fate.succeed(Ends.success(table.own().name(), table.own().host(), reason), now), now);
        }
        if (fate.decided().isPresent() && !table.ear().isReleased() && mayLeave(now)) {
            table.ear().mayLeave();
        }
    }

    /** What a launcher's end did to others is heard of before it is sure that the launcher is gone. */
    private void blameTheAbsent(Seat seat, long now) {
        if (seat.isLive() && !seat.isConnected() && !seat.hasAnswered() && !seat.isReleased()) {
            long since = seat.talk().orElseThrow().changedAt();
            fate.add(new Said.Over(Ends.lost(seat.name(), seat.host(), gone(seat)), since), table.own(), now, 0);
        }
    }

    /** Why a launcher whose connection has ended is gone. */
    static String gone(Seat seat) {
        return "its launcher is gone" + seat.why().map(why -> " (" + why + ")").orElse("");
    }

    private void decided(Order.Decided decided, long now) {
        table.tellAll(decided);
        table.ear().decided(decided.end(), now);
    }

    private boolean isDone(Seat seat, long now) {
        return isAbsent(seat) ? !settings.required() && now - openedAt >= SHOW : seat.isDone() && isStillHere(seat);
    }

    private boolean isStillHere(Seat seat) {
        return wokenAt.isEmpty()
                || seat.isGone()
                || seat.talk()
                        .map(talk -> talk.answeredUpTo() - wokenAt.getAsLong() >= 0)
                        .orElse(true);
    }

    private boolean isAbsent(Seat seat) {
        return seat != table.own() && seat.run().isEmpty();
    }

    /**
     * All launchers have just been started: this one may have ended first, and must hear how the job did. Who comes a little after a
     * failure must, too, unless the job had gone on without it; after a refusal a little later still, since that comes first of
     * all. After a stop, which its platform most likely tells it itself, only where it could not go on alone.
     */
    private boolean mayStillCome(Seat seat, long now) {
        return isAbsent(seat) && (now - openedAt < SHOW || hasJustFailed(now) || isJustRefused(now));
    }

    private boolean isJustRefused(long now) {
        boolean isNews =
                (isRefused && now - fate.decidedAt() < settings.forTheLate().toNanos())
                        || (isUnfit && now - openedAt < COME);
        return isNews
                && fate.decided()
                        .filter(decided -> decided.end().kind() == JobEnd.Kind.REFUSED)
                        .isPresent()
                && table.all().stream().filter(this::isAbsent).count() > misnamed;
    }

    private boolean hasJustFailed(long now) {
        if (fate.decided().isEmpty() || now - fate.decidedAt() >= SHOW) {
            return false;
        }
        JobEnd.Kind how = fate.decided().get().end().kind();
        boolean isFailure = how != JobEnd.Kind.SUCCESS && how != JobEnd.Kind.STOPPED;
        return settings.required()
                ? how != JobEnd.Kind.SUCCESS
                : isFailure && fate.decidedAt() - openedAt < Arrivals.NOTE;
    }

    private boolean mayLeave(long now) {
        boolean waitedEnough = now - fate.decidedAt() >= settings.grace().toNanos() + LEAVE;
        return table.all().stream().noneMatch(seat -> (seat.isLive() && !waitedEnough) || mayStillCome(seat, now));
    }

    /** Whether something happens before the next second, though nobody says anything. */
    boolean isUrgent(long now) {
        return (isEnding() && !table.ear().isReleased()) || (hasSucceeded && now - openedAt < SHOW);
    }
}
