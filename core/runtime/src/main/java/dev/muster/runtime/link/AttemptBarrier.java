package dev.muster.runtime.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The barrier before each attempt of a job that may restart in place. Launchers may come, go and be replaced without ending the job. The
 * attempt begins when all are connected and ready. Other jobs have no barrier.
 */
final class AttemptBarrier {

    private final LinkRun own;
    private final Membership membership;
    private final Set<String> retired;
    /** Launchers that held a place before. A rank table may move them: only those without a place at the start are retired. */
    private final Set<String> displaced;

    private Optional<LinkEvent> told = Optional.empty();
    private boolean hasBegun;
    private int number;
    private long since;

    AttemptBarrier(LinkRun own, Membership membership, long now) {
        this.own = own;
        this.membership = membership;
        number = own.number();
        retired = new HashSet<>(own.retired());
        displaced = new HashSet<>(own.before().values());
        hasBegun = !own.hasBarrier();
        since = now;
    }

    /** Whether the attempt has begun, or the job has no barrier. */
    boolean hasBegun() {
        return hasBegun;
    }

    boolean isUsed() {
        return own.hasBarrier();
    }

    /** The number of the attempt: the highest that any launcher has named. */
    int number() {
        return number;
    }

    /** Since when a launcher is missing, or has read other inputs than the leader. */
    long since() {
        return since;
    }

    /** Whether another launcher now holds this launcher's place. */
    boolean isRetired(LinkRun guest) {
        return retired.contains(guest.launcher());
    }

    /** A launcher takes a place. */
    void addRun(MemberState member, LinkRun run) {
        member.run().filter(before -> own.hasBarrier()).map(LinkRun::launcher).ifPresent(displaced::add);
        number = Math.max(number, run.number());
        told = Optional.empty();
    }

    /** Tells all launchers once all are connected. */
    void check(long now) {
        if (hasBegun) {
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

    /** The launchers that were not in the attempt before, if there was one. */
    private Set<String> replaced() {
        return membership.all().stream()
                .filter(member -> number > 1 && member.run().orElse(own).isFresh())
                .map(MemberState::name)
                .collect(Collectors.toSet());
    }

    /** Whether all launchers are ready and have read the same inputs. */
    boolean isReady() {
        return !hasBegun
                && membership.own().digest().isPresent()
                && membership.all().stream()
                        .allMatch(member -> member.isPresent()
                                && member.digest().equals(membership.own().digest()));
    }

    /** A launcher that is ready and has read other inputs than the leader. */
    Optional<MemberState> differing() {
        Optional<String> ours = membership.own().digest();
        return membership.all().stream()
                .filter(member -> ours.isPresent()
                        && member.digest().isPresent()
                        && !member.digest().equals(ours))
                .findFirst();
    }

    /** Begins the attempt. */
    void begin() {
        hasBegun = true;
        membership.tellAll(new LeaderMessage.Start(number));
        Map<String, String> launchers = new HashMap<>();
        membership
                .all()
                .forEach(member ->
                        launchers.put(member.name(), member.run().orElse(own).launcher()));
        displaced.removeAll(launchers.values());
        retired.addAll(displaced);
        membership.events().add(new LinkEvent.Begin(number, launchers, retired));
    }
}
