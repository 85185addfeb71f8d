package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The leader of the job, and the condition of its end. TensorFlow does not end the job: a ps runs forever, and a process that loses
 * another waits silently. The leader is the launcher of the chief or of worker 0. It waits for all processes that decide.
 */
record TerminationPolicy(NodeAssignment assignment) {

    private List<Member> deciders() {
        return assignment.strategy().deciders(assignment.cluster());
    }

    /** Whether a process decides how the job, or at least this node, ends. The other processes are services. */
    boolean decides(Member member) {
        List<Member> deciders = deciders();
        boolean isDecidedHere = assignment.members().stream().anyMatch(deciders::contains);
        return deciders.contains(member) || (!isDecidedHere && launchers().isEmpty());
    }

    Outcome outcome() {
        return launchers()
                .filter(LauncherNodes::required)
                .map(required -> required.leads() ? allHaveEnded() : Outcome.FOLLOWS_LEADER)
                .orElse(Outcome.ALL_TASKS);
    }

    /** How long other processes need the ps; empty if no link tells their ends. */
    Optional<Condition> needed() {
        return launchers().filter(LauncherNodes::required).map(there -> decidersHaveEnded());
    }

    /** All launchers of the job; empty if this launcher is the only one, or if the others do not know it. */
    Optional<LauncherNodes> launchers() {
        List<Member> members = assignment.strategy().members(assignment.cluster());
        Member own = assignment.members().get(0);
        List<Member> named =
                assignment.isRole() ? members : assignment.cluster().members(Role.WORKER);
        if (!assignment.isWhole() || named.size() < 2 || !members.contains(own)) {
            return Optional.empty();
        }
        List<LauncherNodes.Peer> peers = named.stream()
                .map(member -> new LauncherNodes.Peer(
                        launcher(member),
                        Optional.of(Host.of(assignment.cluster().at(member).host(), Optional.empty()))))
                .toList();
        LauncherNodes all = LauncherNodes.of(launcher(own), launcher(deciders().get(0)), peers);
        // A launcher with services only needs the link to learn that the job has ended.
        return Optional.of(Set.copyOf(deciders()).containsAll(members) ? all : all.needed());
    }

    private Outcome allHaveEnded() {
        boolean isChief = assignment.strategy() == Strategy.CHIEF;
        String who = isChief ? "the chief (" + deciders().get(0).id() + ") has" : "all workers have";
        return Outcome.firstOf(List.of(new Outcome.Case(decidersHaveEnded(), 0, who + " ended")));
    }

    private Condition decidersHaveEnded() {
        TreeSet<String> ids = new TreeSet<>();
        for (Member member : deciders()) {
            boolean isOwn = assignment.members().contains(member);
            ids.add(isOwn ? member.id() : LauncherNodes.processOf(member.id(), launcher(member)));
        }
        return Condition.exited(ids);
    }

    /** The name of a launcher: for a container of one role its process, for a whole node its index. */
    private String launcher(Member member) {
        return assignment.isRole() ? member.id() : LauncherNodes.ofNode(member.index());
    }
}
