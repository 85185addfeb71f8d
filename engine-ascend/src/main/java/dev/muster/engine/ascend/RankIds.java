package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;

/** The rank ids of a table that gives them itself: all together exactly 0 to n-1. */
final class RankIds {

    private static final String KEY = "rank_id";

    private final Unique ids = new Unique(KEY, "");
    private int highest = -1;

    /** Reads the rank id of a device. */
    int read(JsonView holder) throws PlanException {
        int rank = holder.number(KEY, RankTable.MOST_CARDS - 1);
        ids.add(rank, holder);
        highest = Math.max(highest, rank);
        return rank;
    }

    /** Refuses gaps, once all ids are read. */
    void complete(JsonView table, String listKey) throws PlanException {
        if (highest < ids.size()) {
            return;
        }
        int missing = 0;
        while (ids.has(missing)) {
            missing++;
        }
        throw table.child(listKey)
                .refusal(
                        "rank_id " + missing + " is missing though " + highest + " is there; " + ids.size()
                                + " devices need the rank ids 0.." + (ids.size() - 1),
                        JsonView.CORRECT_IT);
    }
}
