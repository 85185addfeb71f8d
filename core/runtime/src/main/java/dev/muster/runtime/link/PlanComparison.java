package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Compares what the launchers of a job plan with what their leader does. */
final class PlanComparison {

    /** Warnings of other commands; more tell nothing new. */
    private static final int WARNINGS = 3;

    /** What {@link LocalEvent.Planned} calls the number of the launchers: another one is the reason of other differences. */
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

    /** A launcher has a plan: compares all that may be compared by now. */
    void planned(MemberState member, long now) {
        if (!barrier.isOver()) {
            return;
        }
        if (member == membership.own()) {
            all(now);
        } else {
            compare(member, now);
        }
    }

    /** Compares all plans that there are, once none of them is made anew any more. */
    void all(long now) {
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
     * Why two plans do not fit together, told of the second; what only one of them lists is not compared.
     *
     * @param where the first one, for users
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
