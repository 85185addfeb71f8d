package dev.muster.runtime.link;

import java.util.List;

/**
 * What travels in one line once two launchers know each other. Each side numbers its facts from 1 and sends them again until the
 * other has said that it has them, so that lost, doubled and reordered batches change nothing. A batch without facts is a beat.
 *
 * @param first the number of the first fact
 * @param facts in their order
 * @param seen all facts up to this number have come from the other side
 * @param sentAt when this was sent, on the sender's clock
 * @param echoed {@link #sentAt} of the newest batch that came from the other side; 0: none has
 * @param heldFor nanoseconds between that batch's arrival and {@link #sentAt}
 */
record Batch(long first, List<Fact> facts, long seen, long sentAt, long echoed, long heldFor) {
    Batch {
        facts = List.copyOf(facts);
    }
}
