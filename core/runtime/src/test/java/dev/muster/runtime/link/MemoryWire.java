package dev.muster.runtime.link;

/** A connection between a member and its leader in memory. */
final class MemoryWire {

    private final MemoryLink member;
    private final MemoryLink leader;
    private boolean isUp = true;
    private long atLeader;
    private long atMember;

    MemoryWire(MemoryLink member, MemoryLink leader) {
        this.member = member;
        this.leader = leader;
    }

    MemoryLink member() {
        return member;
    }

    MemoryLink leader() {
        return leader;
    }

    MemoryLink other(MemoryLink one) {
        return one == member ? leader : member;
    }

    /** When what is sent by this one arrives: in the order in which it was sent. */
    long arrival(MemoryLink from, long time) {
        if (from == member) {
            atLeader = Math.max(atLeader, time);
            return atLeader;
        }
        atMember = Math.max(atMember, time);
        return atMember;
    }

    /** Nothing comes through any more; the two learn of it later. */
    void cut() {
        isUp = false;
    }

    boolean isUp() {
        return isUp;
    }
}
