package dev.muster.runtime.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The time before a run, in a job that may restart in place: launchers come, go and are replaced, which ends nothing, until all are
 * there and ready. Then the run begins. Other jobs never gather.
 */
final class AttemptBarrier {

    private final LinkRun own;
    private final Membership membership;
    private final Set<String> retired;
    /** Who had a place before: whoever has none when the run begins is retired. A new rank table may give him another place. */
    private final Set<String> displaced;

    private Optional<LinkEvent> told = Optional.empty();
    private boolean isOver;
    private int number;
    private long since;

    AttemptBarrier(LinkRun own, Membership membership, long now) {
        this.own = own;
        this.membership = membership;
        number = own.number();
        retired = new HashSet<>(own.retired());
        displaced = new HashSet<>(own.before().values());
        isOver = !own.gathers();
        since = now;
    }

    /** Whether the run has begun, or there was nothing to gather for. */
    boolean isOver() {
        return isOver;
    }

    boolean gathers() {
        return own.gathers();
    }

    /** The number of the run, so far as launchers have come that know it. */
    int number() {
        return number;
    }

    /** Since when somebody is missed, or has read something else than others. */
    long since() {
        return since;
    }

    /** Whether another one has the place of a launcher by now. */
    boolean isRetired(LinkRun guest) {
        return retired.contains(guest.launcher());
    }

    /** A launcher takes a place. */
    void takes(MemberState member, LinkRun run) {
        member.run().filter(before -> own.gathers()).map(LinkRun::launcher).ifPresent(displaced::add);
        number = Math.max(number, run.number());
        told = Optional.empty();
    }

    /** Tells all who is here, once they are. */
    void look(long now) {
        if (isOver) {
            return;
        }
        if (!membership.all().stream().allMatch(MemberState::isPresent)) {
            told = Optional.empty();
            return;
        }
        if (!membership.all().stream().allMatch(member -> member.digest().isPresent())) {
            since = now;
        }
        LinkEvent complete = new LinkEvent.Complete(number, replaced());
        if (!told.equals(Optional.of(complete))) {
            told = Optional.of(complete);
            membership.tellAll(complete);
        }
    }

    /** Those that were not there in the run before, where there was one. */
    private Set<String> replaced() {
        return membership.all().stream()
                .filter(member -> number > 1 && member.run().orElse(own).isFresh())
                .map(MemberState::name)
                .collect(Collectors.toSet());
    }

    /** Whether all launchers are ready, and have read the same. */
    boolean isReady() {
        return !isOver
                && membership.own().digest().isPresent()
                && membership.all().stream()
                        .allMatch(member -> member.isPresent()
                                && member.digest().equals(membership.own().digest()));
    }

    /** A launcher that is ready and has read something else than the leader. */
    Optional<MemberState> differing() {
        Optional<String> ours = membership.own().digest();
        return membership.all().stream()
                .filter(member -> ours.isPresent()
                        && member.digest().isPresent()
                        && !member.digest().equals(ours))
                .findFirst();
    }

    /** The run begins. */
    void begin() {
        isOver = true;
        membership.tellAll(new LeaderMessage.Start(number));
        Map<String, String> launchers = new HashMap<>();
        membership
                .all()
                .forEach(member ->
                        launchers.put(member.name(), member.run().orElse(own).launcher()));
        displaced.removeAll(launchers.values());
        retired.addAll(displaced);
        membership.events().hear(new LinkEvent.Begin(number, launchers, retired));
    }
}
