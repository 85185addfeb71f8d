package dev.muster.engine.tensorflow;

import dev.muster.spi.PlanException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All processes of the job and their addresses, equal on all nodes.
 *
 * @param lists the processes of every role that the job has
 */
record Cluster(Map<Role, AddressList> lists) {

    Cluster {
        EnumMap<Role, AddressList> sorted = new EnumMap<>(Role.class);
        sorted.putAll(lists);
        lists = Collections.unmodifiableMap(sorted);
    }

    /**
     * A job in the form of ModelArts, in which worker 0 may be the chief.
     *
     * @param ps by index; empty if the kind of script has no ps
     * @param workers by index
     */
    Cluster(AddressList ps, AddressList workers) {
        this(Map.of(Role.PS, ps, Role.WORKER, workers));
    }

    /** The same lists. Refuses two processes with the same address. */
    Cluster checked() throws PlanException {
        Map<String, Member> seen = new HashMap<>();
        for (Member member : members()) {
            Member first = seen.putIfAbsent(at(member).key(), member);
            if (first != null) {
                throw PlanException.configuration(
                        first.id() + " (" + list(first.role()).origin() + ") and " + member.id() + " ("
                                + list(member.role()).origin() + ") have the same address, "
                                + Messages.quote(at(member).label()) + ". Give every process a host:port of its own");
            }
        }
        return this;
    }

    AddressList list(Role role) {
        return lists.getOrDefault(role, AddressList.NONE);
    }

    AddressList ps() {
        return list(Role.PS);
    }

    AddressList workers() {
        return list(Role.WORKER);
    }

    /** The role of the chief, if the job names a chief. */
    Optional<Role> chief() {
        return lists.keySet().stream()
                .filter(role -> role.isChief() && !list(role).isEmpty())
                .findFirst();
    }

    boolean has(Member member) {
        return list(member.role()).byIndex().containsKey(member.index());
    }

    Endpoint at(Member member) {
        return list(member.role()).get(member.index());
    }

    /** All processes of a role, by index. */
    List<Member> members(Role role) {
        return list(role).byIndex().keySet().stream()
                .map(index -> new Member(role, index))
                .toList();
    }

    /** All processes of the job: ps, workers, then the others. */
    List<Member> members() {
        return lists.keySet().stream().flatMap(role -> members(role).stream()).toList();
    }
}
