package dev.muster.runtime.link;

import dev.muster.runtime.text.Durations;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Looks after all launchers once a second, and more often where something is about to happen. */
final class Rounds {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);
    /** Without a look for so long: this launcher itself has not run. */
    static final long STANDSTILL = 3 * PAUSE;

    private static final long SHORT_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final LinkSettings settings;
    private final Table table;
    private final Endings endings;
    private final Gathering gathering;
    private final Arrivals arrivals;
    private final long openedAt;
    private long lookedAt;
    private long nextAt;
    private boolean hasRunOut;
    private boolean isSomebodyAway;

    Rounds(LinkSettings settings, Table table, Endings endings, Gathering gathering, Lines lines, long openedAt) {
        this.settings = settings;
        this.table = table;
        this.endings = endings;
        this.gathering = gathering;
        this.openedAt = openedAt;
        arrivals = new Arrivals(settings, table.all(), gathering, lines, openedAt);
        lookedAt = openedAt;
        nextAt = openedAt;
    }

    /** A connection has ended. */
    void soon(long now) {
        isSomebodyAway = true;
        nextAt = Math.min(nextAt, now);
    }

    /** Says whether it was time to look. */
    boolean look(long now) {
        if (now - next(now) < 0) {
            return false;
        }
        long pause = now - lookedAt;
        lookedAt = now;
        nextAt = now + PAUSE;
        if (pause > STANDSTILL) {
            // This launcher itself stood still: nobody is to blame for what was not heard.
            table.all().forEach(seat -> seat.talk().ifPresent(talk -> talk.excuse(pause, now)));
        }
        isSomebodyAway = false;
        if (gathering.isOver()) {
            table.all().forEach(seat -> look(seat, now));
        }
        gathering.look(now);
        if (!endings.isEnding()) {
            arrivals.look(now).ifPresent(table::tellAll);
            lookAtThePatience(now);
        }
        return true;
    }

    private void look(Seat seat, long now) {
        if (!seat.isLive()) {
            return;
        }
        Conversation talk = seat.talk().orElseThrow();
        if (!talk.isConnected()) {
            isSomebodyAway = true;
            if (now - talk.changedAt() >= Endings.RESUME) {
                endings.lose(seat, Endings.gone(seat), talk.changedAt(), now);
            }
        } else if (now - talk.heardAt() >= settings.lostAfter().toNanos()) {
            endings.lose(seat, silence(settings), talk.heardAt(), now);
        }
    }

    static String silence(LinkSettings settings) {
        return "nothing was heard of its launcher for " + Durations.format(settings.lostAfter());
    }

    private void lookAtThePatience(long now) {
        long since = gathering.isOver() ? openedAt : gathering.since();
        if (!settings.required()
                || hasRunOut
                || now - since < settings.patience().toNanos()) {
            return;
        }
        hasRunOut = true;
        List<Seat> absent = arrivals.absent();
        if (!absent.isEmpty()) {
            Seat first = absent.get(0);
            String others =
                    absent.size() == 1 ? "" : "; not there either: " + Arrivals.named(absent.subList(1, absent.size()));
            String reason = "its launcher did not come within " + Durations.format(settings.patience())
                    + first.why().map(why -> " (" + why + ")").orElse("") + others;
            endings.end(Ends.lost(first.name(), first.host(), reason), now);
        } else {
            gathering.differing().ifPresent(seat -> {
                String reason = "it has read other files of the job's nodes than "
                        + table.own().where() + " for " + Durations.format(settings.patience());
                endings.end(Ends.lost(seat.name(), seat.host(), reason), now);
            });
        }
    }

    /** When to look again. */
    long next(long now) {
        boolean isUrgent = isSomebodyAway || endings.isUrgent(now);
        long soon = lookedAt + SHORT_PAUSE;
        return isUrgent && soon - nextAt < 0 ? soon : nextAt;
    }
}
