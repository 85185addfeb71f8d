package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.Launchers;
import dev.muster.spi.Outcome;
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
    private final Roll roll;
    private final boolean isDecidedHere;

    Life(Part part) {
        this.part = part;
        this.roll = part.cluster().roll(part.wishes().kind());
        this.isDecidedHere = part.seat().members().stream().anyMatch(roll::decides);
    }

    /** All launchers of the job; empty where this one is alone, or the others do not know of it. */
    Optional<Launchers> launchers() {
        Member own = part.seat().members().get(0);
        boolean isRole = part.seat().isRole();
        if (!part.isWhole() || roll.first(isRole).size() < 2 || !roll.has(own)) {
            return Optional.empty();
        }
        return Optional.of(roll.launchers(isRole).seenFrom(Roll.launcher(own, isRole)));
    }

    /** Whether a process decides how the job, or at least this node, ends; others serve until then. */
    boolean decides(Member member) {
        return roll.decides(member) || (!isDecidedHere && launchers().isEmpty());
    }

    Outcome outcome() {
        Optional<Launchers> launchers = launchers().filter(Launchers::required);
        if (launchers.isEmpty()) {
            return Outcome.ALL_TASKS;
        }
        return launchers.get().leads() ? allHaveEnded() : new Outcome.FollowsLeader(OptionalInt.empty());
    }

    /** Until when others need the ps, where launchers of other nodes tell. */
    Optional<Condition> needed() {
        return launchers().filter(Launchers::required).map(there -> decidersHaveEnded());
    }

    private Outcome allHaveEnded() {
        boolean isChief = part.wishes().kind() == Kind.CHIEF;
        String who = isChief ? "the chief (" + roll.deciders().get(0).id() + ") has" : "all workers have";
        return new Outcome.FirstOf(List.of(new Outcome.Case(decidersHaveEnded(), 0, who + " ended")));
    }

    private Condition decidersHaveEnded() {
        TreeSet<String> ids = new TreeSet<>();
        for (Member member : roll.deciders()) {
            boolean isOwn = part.seat().members().contains(member);
            ids.add(
                    isOwn
                            ? member.id()
                            : Launchers.processOf(
                                    member.id(),
                                    Roll.launcher(member, part.seat().isRole())));
        }
        return new Condition.Exited(ids);
    }
}
