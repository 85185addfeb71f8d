package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.Host;
import dev.muster.spi.Launchers;
import dev.muster.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * Who leads the job, and when it ends. TensorFlow itself notices nothing: a ps serves for ever, and whoever loses another process
 * waits for it in silence. So the launcher of the chief, or of worker 0, waits for all who decide, and the others for it.
 */
final class Life {

    private final Part part;
    private final List<Member> members;
    private final List<Member> deciders;
    private final boolean isDecidedHere;

    Life(Part part) {
        this.part = part;
        this.members = part.wishes().kind().members(part.cluster());
        this.deciders = part.wishes().kind().deciders(part.cluster());
        this.isDecidedHere = part.seat().members().stream().anyMatch(deciders::contains);
    }

    /** All launchers of the job; empty where this one is alone, or the others do not know of it. */
    Optional<Launchers> launchers() {
        Member own = part.seat().members().get(0);
        List<Member> first = part.seat().isRole() ? members : part.cluster().members(Role.WORKER);
        if (!part.isWhole() || first.size() < 2 || !members.contains(own)) {
            return Optional.empty();
        }
        List<Launchers.Peer> peers = new ArrayList<>();
        for (Member member : first) {
            Host host = new Host(part.cluster().at(member).host(), Optional.empty());
            peers.add(new Launchers.Peer(launcher(member), Optional.of(host)));
        }
        Launchers launchers = Launchers.of(launcher(own), launcher(deciders.get(0)), peers);
        // Who only serves does not see for itself when the job has ended.
        return Optional.of(deciders.containsAll(members) ? launchers : launchers.needed());
    }

    /** Whether a process decides how the job, or at least this node, ends; others serve until then. */
    boolean decides(Member member) {
        return deciders.contains(member) || (!isDecidedHere && launchers().isEmpty());
    }

    Outcome outcome() {
        Optional<Launchers> launchers = launchers().filter(Launchers::required);
        if (launchers.isEmpty()) {
            return Outcome.ALL_TASKS;
        }
        return launchers.get().leads() ? allHaveEnded() : new Outcome.FollowsLeader(OptionalInt.empty());
    }

    private Outcome allHaveEnded() {
        TreeSet<String> ids = new TreeSet<>();
        for (Member member : deciders) {
            boolean isOwn = part.seat().members().contains(member);
            ids.add(isOwn ? member.id() : Launchers.processOf(member.id(), launcher(member)));
        }
        boolean isChief = part.wishes().kind() == Kind.CHIEF;
        String who = isChief ? "the chief (" + deciders.get(0).id() + ") has" : "all workers have";
        return new Outcome.FirstOf(List.of(new Outcome.Case(new Condition.Exited(ids), 0, who + " ended")));
    }

    /** Containers of one role have the names of their processes, whole nodes their index. */
    private String launcher(Member member) {
        return part.seat().isRole() ? member.id() : Launchers.ofNode(member.index());
    }
}
