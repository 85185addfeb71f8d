package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Compares the plans of a job's launchers with the leader's plan. */
final class PlanComparison {

    /** The most warnings about different commands; more tell nothing new. */
    private static final int WARNINGS = 3;

    /** The key of the number of launchers in {@link LocalEvent.Planned}. It comes first, since other differences may follow from it. */
    private static final String NODES = "number of nodes";

    private final Membership membership;
    private final JobTermination termination;
    private final AttemptBarrier barrier;
    private final LinkLog log;
    private int otherCommands;

    PlanComparison(Membership membership, JobTermination termination, AttemptBarrier barrier, LinkLog log) {
        this.membership = membership;
        this.termination = termination;
        this.barrier = barrier;
        this.log = log;
    }

    /** A launcher has planned: compares all plans that may be compared now. */
    void onPlanned(MemberState member, long now) {
        if (!barrier.hasBegun()) {
            return;
        }
        if (member == membership.own()) {
            compareAll(now);
        } else {
            compare(member, now);
        }
    }

    /** Compares all plans, when no launcher plans again any more. */
    void compareAll(long now) {
        membership.all().forEach(member -> compare(member, now));
    }

    private void compare(MemberState member, long now) {
        MemberState own = membership.own();
        if (own.plan().isEmpty() || member.plan().isEmpty() || member == own) {
            return;
        }
        LocalEvent.Planned ours = own.plan().get();
        LocalEvent.Planned theirs = member.plan().get();
        Optional<String> difference = difference(ours.equal(), own.where(), theirs.equal());
        if (difference.isPresent()) {
            termination.end(JobEnd.unfit(member.name(), member.host(), difference.get()), now);
        } else if (!ours.command().equals(theirs.command())) {
            if (otherCommands++ < WARNINGS) {
                log.warn(member.where() + " runs another command: " + theirs.command() + "; this node: "
                        + ours.command());
            }
        }
    }

    /**
     * Why two plans do not match, as a message about the second. Values that only one of them lists are not compared.
     *
     * @param where the place of the first one, for users
     */
    static Optional<String> difference(
            SortedMap<String, String> first, String where, SortedMap<String, String> second) {
        List<String> names = new ArrayList<>(first.keySet());
        names.remove(NODES);
        names.add(0, NODES);
        for (String name : names) {
            String one = first.get(name);
            String other = second.get(name);
            if (one != null && other != null && !one.equals(other)) {
                return Optional.of(
                        name + ": " + other + " here and " + one + " on " + where + "; must be the same on all nodes");
            }
        }
        return Optional.empty();
    }
}
