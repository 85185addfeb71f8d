package dev.muster.runtime.link;

/** A connection in memory between a member and its leader. */
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

    /** When a message of this launcher arrives. Messages arrive in the order in which they were sent. */
    long arrival(MemoryLink from, long time) {
        if (from == member) {
            atLeader = Math.max(atLeader, time);
            return atLeader;
        }
        atMember = Math.max(atMember, time);
        return atMember;
    }

    /** Drops all messages from now on. The two launchers notice it later. */
    void cut() {
        isUp = false;
    }

    boolean isUp() {
        return isUp;
    }
}
