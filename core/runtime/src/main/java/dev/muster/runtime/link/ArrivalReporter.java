package dev.muster.runtime.link;

import dev.muster.runtime.output.Cadence;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells the leader's user which launchers are missing, and all users which launchers wait for what. */
final class ArrivalReporter {

    private static final int NAMED = 3;

    private final LinkSettings settings;
    private final Membership membership;
    private final AttemptBarrier barrier;
    private final long openedAt;
    private final LinkLog log;
    private final Cadence missing = new Cadence(Cadence.QUIET);
    /** No initial pause: only waits that already last a while are reported. */
    private final Cadence waiting = new Cadence(0);

    private boolean isNoted;

    ArrivalReporter(LinkSettings settings, Membership membership, AttemptBarrier barrier, LinkLog log, long openedAt) {
        this.settings = settings;
        this.membership = membership;
        this.barrier = barrier;
        this.log = log;
        this.openedAt = openedAt;
    }

    /** Prints the lines that are due; returns the message for the members. */
    Optional<LeaderMessage.Waiting> report(long now) {
        List<MemberState> absent = absent();
        if (!absent.isEmpty()) {
            reportMissing(absent, now);
        } else if (missing.end() || isNoted) {
            isNoted = false;
            log.say(presentText(0));
        }
        return waiting(now);
    }

    /** Members that have never come, or that are not connected before the attempt. */
    List<MemberState> absent() {
        return membership.all().stream()
                .filter(member ->
                        member != membership.own() && (barrier.hasBegun() ? member.isAbsent() : !member.isPresent()))
                .toList();
    }

    private void reportMissing(List<MemberState> absent, long now) {
        String elapsed = LinkLog.seconds(now - openedAt);
        if (settings.required()) {
            missing.due(() -> presentText(absent.size()) + "; " + list(absent), now)
                    .ifPresent(text -> log.say(text + ", " + elapsed));
        } else if (!isNoted && now - openedAt >= LivenessCheck.NOTE) {
            isNoted = true;
            log.say(presentText(absent.size()) + "; " + list(absent) + ", " + elapsed
                    + ". The job goes on. This node is not told how such a node ends, nor is that node told of others"
                    + (settings.requiredAtEnd() ? ". Without it the job's success ends with 75" : "")
                    + " (see --link and --link-port)");
        }
    }

    private String presentText(int absent) {
        return membership.all().size() - absent + " of " + membership.all().size() + " nodes are here";
    }

    /** For example {@code node 2 (gpu3) is not: its name does not resolve}. */
    static String list(List<MemberState> absent) {
        if (absent.size() == 1) {
            MemberState member = absent.get(0);
            return member.where() + " is not"
                    + member.why().map(why -> ": " + why).orElse("");
        }
        return "not " + named(absent);
    }

    /** The first few members, with the reasons. */
    static String named(List<MemberState> absent) {
        String first = absent.stream()
                .limit(NAMED)
                .map(member ->
                        member.where() + member.why().map(why -> ": " + why).orElse(""))
                .collect(Collectors.joining("; "));
        return absent.size() <= NAMED ? first : first + "; and " + (absent.size() - NAMED) + " more";
    }

    private Optional<LeaderMessage.Waiting> waiting(long now) {
        List<LeaderMessage.Waiter> waiters = membership.all().stream()
                .filter(member -> !member.isGone())
                .flatMap(member -> member.awaits().stream()
                        .filter(waits -> now - waits.since() >= Cadence.QUIET)
                        .map(waits -> new LeaderMessage.Waiter(member.name(), member.host(), waits.what())))
                .limit(NAMED)
                .toList();
        if (waiters.isEmpty()) {
            waiting.end();
            return Optional.empty();
        }
        LeaderMessage.Waiting order = new LeaderMessage.Waiting(waiters);
        if (waiting.due(order::toString, now).isEmpty()) {
            return Optional.empty();
        }
        reportWaiting(order, settings.launchers().own(), log);
        return Optional.of(order);
    }

    /** Prints which launcher waits for what. Its own user already knows what this launcher waits for. */
    static void reportWaiting(LeaderMessage.Waiting order, String own, LinkLog log) {
        String others = order.waiters().stream()
                .filter(waiter -> !waiter.launcher().equals(own))
                .map(waiter -> JobEnd.where(waiter.launcher(), waiter.host()) + " waits for " + waiter.what())
                .collect(Collectors.joining("; "));
        if (!others.isEmpty()) {
            log.say(others);
        }
    }
}
