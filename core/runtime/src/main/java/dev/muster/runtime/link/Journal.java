package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;

/** The facts for one peer, numbered from 1, each kept until the peer has it. */
final class Journal {

    /** Bytes of facts in one batch; leaves room in a line of 64 KiB for the rest of it, and for escapes. */
    static final int PIECE = 32 * 1024;

    private record Entry(Fact fact, int size) {}

    private final List<Entry> unseen = new ArrayList<>();
    private long seen;
    private long sent;

    void add(Fact fact) {
        unseen.add(new Entry(fact, JsonSize.of(fact.content())));
    }

    /** The peer has everything up to this number. Says whether that is news. */
    boolean seen(long number) {
        if (number <= seen || number > seen + unseen.size()) {
            return false;
        }
        unseen.subList(0, (int) (number - seen)).clear();
        seen = number;
        sent = Math.max(sent, seen);
        return true;
    }

    /** What was sent and not seen may be lost: it is next once more. */
    void again() {
        sent = seen;
    }

    /** Whether there is something that was not sent. */
    boolean hasNext() {
        return sent < seen + unseen.size();
    }

    /** The number of the fact that was added last. */
    long last() {
        return seen + unseen.size();
    }

    /** Whether the peer has everything up to this number. */
    boolean isSeen(long number) {
        return seen >= number;
    }

    /** Whether the peer has everything. */
    boolean isSeen() {
        return unseen.isEmpty();
    }

    /** Whether something was sent that the peer may not have. */
    boolean awaitsSight() {
        return sent > seen;
    }

    /** The number of the first fact of {@link #next}. */
    long nextNumber() {
        return sent + 1;
    }

    /** As much as fits into one batch; counts as sent. At least one fact where there is one. */
    List<Fact> next() {
        List<Fact> facts = new ArrayList<>();
        int size = 0;
        for (Entry entry : unseen.subList((int) (sent - seen), unseen.size())) {
            size += entry.size();
            if (!facts.isEmpty() && size > PIECE) {
                break;
            }
            facts.add(entry.fact());
        }
        sent += facts.size();
        return facts;
    }
}
