package dev.muster.engine.tensorflow;

import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All processes of the job and where they listen, equal on all nodes.
 *
 * @param ps by index; empty where the kind of script has none
 * @param workers by index
 */
record Cluster(AddressList ps, AddressList workers) {

    /** The same lists, checked: no two processes have one place. */
    Cluster checked() throws PlanException {
        Map<String, Member> seen = new HashMap<>();
        for (Member member : members()) {
            Member first = seen.putIfAbsent(at(member).key(), member);
            if (first != null) {
                throw Refusal.configuration(
                        first.id() + " (" + list(first.role()).origin() + ") and " + member.id() + " ("
                                + list(member.role()).origin() + ") have the same address, "
                                + Messages.quote(at(member).label()) + ". Give every process a host:port of its own");
            }
        }
        return this;
    }

    AddressList list(Role role) {
        return role == Role.PS ? ps : workers;
    }

    Endpoint at(Member member) {
        return list(member.role()).get(member.index());
    }

    /** All processes of a role, by index. */
    List<Member> members(Role role) {
        List<Member> members = new ArrayList<>();
        for (int index = 0; index < list(role).size(); index++) {
            members.add(new Member(role, index));
        }
        return members;
    }

    private List<Member> members() {
        List<Member> all = members(Role.PS);
        all.addAll(members(Role.WORKER));
        return all;
    }
}
