package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts the facts that came from a peer into their order, each once. */
final class Inbox {

    /** Batches that came before others which they follow. */
    private static final int EARLY = 64;

    private final TreeMap<Long, List<Fact>> early = new TreeMap<>();
    private long received;

    /** All facts up to this number have come. */
    long received() {
        return received;
    }

    /** The facts that are new and whose predecessors have all come. */
    List<Fact> take(long first, List<Fact> facts) {
        if (first > received + 1) {
            if (early.size() < EARLY) {
                early.merge(first, facts, (one, other) -> one.size() >= other.size() ? one : other);
            }
            return List.of();
        }
        List<Fact> news = new ArrayList<>(fresh(first, facts));
        while (!early.isEmpty() && early.firstKey() <= received + 1) {
            Map.Entry<Long, List<Fact>> next = early.pollFirstEntry();
            news.addAll(fresh(next.getKey(), next.getValue()));
        }
        return news;
    }

    private List<Fact> fresh(long first, List<Fact> facts) {
        long known = received + 1 - first;
        if (known >= facts.size()) {
            return List.of();
        }
        received += facts.size() - known;
        return facts.subList((int) known, facts.size());
    }
}
