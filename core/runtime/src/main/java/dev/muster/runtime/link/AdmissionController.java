package dev.muster.runtime.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Decides whether a launcher may take its place in the job. If two launchers claim one place, it finds out which of them is alive. */
final class AdmissionController {

    /** How long the launcher that holds the place has to show that it is alive. It sends a beat every second. */
    private static final long ANSWER = TimeUnit.SECONDS.toNanos(2);
    /** After this time without another try, the other launcher is gone. A rejected launcher tries again within a second. */
    private static final long ASKED = TimeUnit.SECONDS.toNanos(3);

    private static final String WAITS = "the leader waits for other nodes, or for the launcher that this one replaces";
    private static final String TAKEN = "another launcher of this node is there, and answers";
    private static final String DOUBTED = "another launcher of this node was connected, and may still run";
    private static final String LATER = "the leader's job is ending";

    private final LinkSettings settings;
    private final Membership membership;
    private final JobTermination termination;
    private final AttemptBarrier barrier;
    private final Map<MemberState, Doubt> doubts = new HashMap<>();

    /** An open question whether the holder of a place is still alive. */
    private record Doubt(long since, long askedAt) {}

    AdmissionController(
            LinkSettings settings, Membership membership, JobTermination termination, AttemptBarrier barrier) {
        this.settings = settings;
        this.membership = membership;
        this.termination = termination;
        this.barrier = barrier;
    }

    /** Why a launcher may not take its place; empty: it may. */
    Optional<Rejection> admit(String name, LinkRun run, Optional<String> host, long now) {
        MemberState member = membership.member(name).orElse(null);
        if (member == null) {
            // It may have the rank table of an earlier attempt, or wait for that of the next one.
            return isLater(run) && !(name.equals(LinkSettings.UNKNOWN_NODE) && barrier.hasBegun())
                    ? Optional.of(Rejection.forNow(unknown(name)))
                    : refuse(JobEnd.unfit(name, host, unknown(name)), now);
        }
        if (member == membership.own()) {
            return termination.isEnding() ? later() : refuseDuplicate(member, host, now);
        }
        if (run.limit() != settings.run().limit()) {
            member.markRefused();
            return refuse(JobEnd.unfit(name, member.host(), otherLimit(run)), now);
        }
        if (barrier.isRetired(run)) {
            return Optional.of(Rejection.forGood(JobEnd.lost(name, host, replaced(member))));
        }
        return barrier.hasBegun() ? duringAttempt(member, run, host, now) : beforeAttempt(member, run, host, now);
    }

    private static String replaced(MemberState member) {
        return "another launcher has taken the place of this one"
                + member.address().map(place -> ", at " + place).orElse("") + ": it was taken for lost";
    }

    private String unknown(String name) {
        if (name.equals(LinkSettings.UNKNOWN_NODE)) {
            return "a launcher there refuses the job, and does not know which node it is on; its own messages say why";
        }
        return membership.own().where() + ", which leads, knows "
                + membership.all().size()
                + " nodes, and none of this name; give all nodes the same hosts and number of nodes";
    }

    private String otherLimit(LinkRun guest) {
        return "restarts: " + guest.limit() + " here and " + settings.run().limit() + " on "
                + membership.own().where() + "; must be the same on all nodes";
    }

    /** Before an attempt launchers may come, go and be replaced. In later attempts the platform may have started a new launcher. */
    private Optional<Rejection> beforeAttempt(MemberState member, LinkRun run, Optional<String> host, long now) {
        boolean isLater = isLater(run);
        if (isSame(member, run) || !member.isConnected() || (isLater && run.isFresh())) {
            return accept(member, host);
        }
        return isLater ? Optional.of(Rejection.forNow(WAITS)) : checkHolder(member, host, now);
    }

    private boolean isLater(LinkRun run) {
        return run.number() > 1 || barrier.number() > 1;
    }

    private Optional<Rejection> duringAttempt(MemberState member, LinkRun run, Optional<String> host, long now) {
        if (member.run().isEmpty() || member.run().get().equals(run)) {
            return accept(member, host);
        }
        if (member.isGone() || member.isReleased() || termination.isEnding()) {
            return later();
        }
        if (isSame(member, run)) {
            if (run.serial() > member.run().get().serial()) {
                termination.lose(member, "its launcher has given this run up", now, now);
            }
            return later();
        }
        if (member.isConnected()) {
            return checkHolder(member, host, now);
        }
        return replace(member, host, now);
    }

    private static boolean isSame(MemberState member, LinkRun run) {
        return member.run()
                .map(LinkRun::launcher)
                .filter(run.launcher()::equals)
                .isPresent();
    }

    private static Optional<Rejection> later() {
        return Optional.of(Rejection.forNow(LATER));
    }

    private Optional<Rejection> accept(MemberState member, Optional<String> host) {
        doubts.remove(member);
        member.setAddress(host);
        return Optional.empty();
    }

    private Optional<Rejection> refuse(JobEnd end, long now) {
        termination.end(end, now);
        return Optional.of(Rejection.forGood(end));
    }

    private Optional<Rejection> refuseDuplicate(MemberState member, Optional<String> host, long now) {
        String reason = "there are two launchers of this name, on "
                + member.address().or(member::host).orElse("an unknown host") + " and on "
                + host.orElse("an unknown host")
                + "; give every node an index of its own";
        return refuse(JobEnd.unfit(member.name(), member.host(), reason), now);
    }

    private Optional<Rejection> checkHolder(MemberState member, Optional<String> host, long now) {
        Doubt before = doubts.get(member);
        long since = before == null || now - before.askedAt() > ASKED ? now : before.since();
        doubts.put(member, new Doubt(since, now));
        if (member.channel().orElseThrow().heardAt() - since > 0) {
            // In a later attempt the platform may have started a launcher for one that it took for lost.
            return barrier.number() > 1 ? Optional.of(Rejection.forNow(TAKEN)) : refuseDuplicate(member, host, now);
        }
        return now - since < ANSWER ? Optional.of(Rejection.forNow(DOUBTED)) : replace(member, host, now);
    }

    /** The launcher that held the place is dead, and a new one claims the place. */
    private Optional<Rejection> replace(MemberState member, Optional<String> host, long now) {
        if (member.plan().isEmpty() || !barrier.hasBegun()) {
            // The dead launcher had not started anything.
            return accept(member, host);
        }
        termination.lose(member, JobEnd.STARTED_AGAIN, now, now);
        return later();
    }
}
