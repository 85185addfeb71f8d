package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.Launchers;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** With which run of its leader a member has taken up, and whether the run of the job has begun for it. */
final class Membership {

    private final LinkSettings settings;
    private final String leader;
    private Optional<String> run = Optional.empty();
    private boolean hasBegun;
    private int number;
    private long metAt;

    Membership(LinkSettings settings, long now) {
        this.settings = settings;
        this.leader = settings.launchers().leader();
        hasBegun = !settings.run().gathers();
        metAt = now;
    }

    /** Until then it does not matter who leads, nor whether he is lost: another one comes. */
    boolean hasBegun() {
        return hasBegun;
    }

    /** Whether it would take up with this run of its leader. */
    boolean takes(String newRun) {
        RunName there = RunName.read(newRun);
        return hasBegun ? run.isEmpty() || run.get().equals(newRun) : !isBehind(there) && !isRetired(there);
    }

    /** Another one has led the job since, in its place. */
    boolean isRetired(RunName there) {
        return !hasBegun && settings.run().retired().contains(there.launcher());
    }

    /** The leader that was there in the run before has not ended that yet. */
    boolean isBehind(RunName there) {
        LinkRun own = settings.run();
        return !hasBegun && there.launcher().equals(own.before().get(leader)) && there.number() < own.number();
    }

    /** The leader has gone on to another run of the job. */
    boolean isLeftBehind(RunName there) {
        return run.map(RunName::read)
                .filter(known -> hasBegun && known.launcher().equals(there.launcher()) && there.number() > number)
                .isPresent();
    }

    /** How the run ends for who is left behind. */
    JobEnd leftBehind(RunName there) {
        Launchers launchers = settings.launchers();
        Optional<String> host = launchers.self().host().map(Host::name);
        return Ends.leftBehind(launchers.own(), host, there.number());
    }

    /** It takes up with this run of its leader. Says whether it had not before. */
    boolean take(String newRun) {
        boolean isNew = !run.equals(Optional.of(newRun));
        run = Optional.of(newRun);
        return isNew;
    }

    Heard.Begin begin(Order.Begin begin) {
        hasBegun = true;
        number = begin.number();
        String leading = RunName.read(run.orElseThrow()).launcher();
        return new Heard.Begin(begin.number(), begin.used(), Map.of(leader, leading), retired(leading));
    }

    /** Who led before others had their place. */
    private Set<String> retired(String leading) {
        Set<String> retired = new HashSet<>(settings.run().retired());
        String before = settings.run().before().get(leader);
        if (before != null && !before.equals(leading)) {
            retired.add(before);
        }
        retired.remove(leading);
        return retired;
    }

    /** The leader has let it hear something. */
    void met(long now) {
        metAt = now;
    }

    /** Nothing could be heard for so long. */
    void excuse(long pause, long now) {
        metAt = Math.min(now, metAt + pause);
    }

    /** Whether it has waited for a leader long enough. */
    boolean isOutOfPatience(long now) {
        return !hasBegun && now - metAt >= settings.patience().toNanos();
    }
}
