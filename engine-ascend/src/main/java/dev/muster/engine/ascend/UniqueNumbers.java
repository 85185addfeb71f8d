package dev.muster.engine.ascend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Numbers that may appear only once. A table of a hundred thousand cards has some of every card, and who launches waits for them:
 * there is no object for any of them, nor a reference that the collector of garbage would follow. As a rule each is greater than all
 * before it, which alone tells that it is another one.
 */
final class UniqueNumbers {

    private static final int FEW = 256;

    /** Those that were greater than all before them; at the same place of the other who holds them. */
    private long[] ascending = new long[FEW];

    /** Which of the arrays, in the upper half, and where in it. */
    private long[] holders = new long[FEW];

    private int ascended;
    private long greatest = -1;

    /** The others; each leads to who holds it. */
    private final ScatteredNumbers others = new ScatteredNumbers();

    private final List<JsonView> arrays = new ArrayList<>();

    /** As {@link #add(long, JsonView, int)}, for an element of an array. */
    Optional<JsonView> add(long number, JsonView holder) {
        return add(number, holder.array(), holder.index());
    }

    /**
     * Adds a number, 0 or more.
     *
     * @param array has the holder; those of the same array come one after the other, as a rule
     * @param index of the holder in it
     * @return who holds it already; empty when nobody does
     */
    Optional<JsonView> add(long number, JsonView array, int index) {
        long first = number > greatest ? ScatteredNumbers.NONE : holder(number);
        if (first != ScatteredNumbers.NONE) {
            return Optional.of(arrays.get((int) (first >>> Integer.SIZE)).element((int) first));
        }
        if (arrays.isEmpty() || arrays.get(arrays.size() - 1) != array) {
            arrays.add(array);
        }
        long holder = (long) (arrays.size() - 1) << Integer.SIZE | index;
        if (number > greatest) {
            ascend(number, holder);
        } else {
            others.add(number, holder);
        }
        return Optional.empty();
    }

    boolean has(long number) {
        return holder(number) != ScatteredNumbers.NONE;
    }

    int size() {
        return ascended + others.size();
    }

    private long holder(long number) {
        int place = Arrays.binarySearch(ascending, 0, ascended, number);
        return place >= 0 ? holders[place] : others.get(number);
    }

    private void ascend(long number, long holder) {
        if (ascended == ascending.length) {
            ascending = Arrays.copyOf(ascending, 2 * ascended);
            holders = Arrays.copyOf(holders, 2 * ascended);
        }
        ascending[ascended] = number;
        holders[ascended++] = holder;
        greatest = number;
    }
}
