package dev.muster.runtime.link;

/** A connection between a member and its leader in memory. */
final class MemoryWire {

    private final MemoryLink member;
    private final MemoryLink leader;
    private boolean isUp = true;

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

    /** Nothing comes through any more; the two learn of it later. */
    void cut() {
        isUp = false;
    }

    boolean isUp() {
        return isUp;
    }
}
