package dev.muster.engine.ascend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers that may appear only once. A table of a hundred thousand cards has some of every card, and who launches waits for them:
 * there is no object for any of them, nor a reference that the collector of garbage would follow.
 */
final class UniqueNumbers {

    private static final int FEW = 256;
    private static final int GROWTH = 4;
    private static final long NONE = 0;

    /** Numbers that follow each other stand side by side, as many as this has bits; blocks of them stand anywhere. */
    private static final int BLOCK = 15;

    /** A number, and one more, stands at its place or at the next free one; at the same place of the other who holds it. */
    private long[] numbers = new long[FEW];

    /** Which of the arrays, in the upper half, and where in it. */
    private long[] holders = new long[FEW];

    private final List<JsonView> arrays = new ArrayList<>();
    private int size;

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
        if (size >= numbers.length / 2) {
            grow();
        }
        int place = place(number + 1);
        if (numbers[place] != NONE) {
            return Optional.of(
                    arrays.get((int) (holders[place] >>> Integer.SIZE)).element((int) holders[place]));
        }
        if (arrays.isEmpty() || arrays.get(arrays.size() - 1) != array) {
            arrays.add(array);
        }
        numbers[place] = number + 1;
        holders[place] = (long) (arrays.size() - 1) << Integer.SIZE | index;
        size++;
        return Optional.empty();
    }

    boolean has(long number) {
        return numbers[place(number + 1)] != NONE;
    }

    int size() {
        return size;
    }

    /** Where what stands for a number is, or would be. */
    private int place(long number) {
        long[] in = numbers;
        int last = in.length - 1;
        long block = (number >>> 4) * 0x9E3779B97F4A7C15L;
        int place = (((int) (block >>> 36) << 4) | ((int) number & BLOCK)) & last;
        while (in[place] != number && in[place] != NONE) {
            place = (place + 1) & last;
        }
        return place;
    }

    private void grow() {
        long[] oldNumbers = numbers;
        long[] oldHolders = holders;
        numbers = new long[GROWTH * oldNumbers.length];
        holders = new long[numbers.length];
        for (int at = 0; at < oldNumbers.length; at++) {
            if (oldNumbers[at] != NONE) {
                int place = place(oldNumbers[at]);
                numbers[place] = oldNumbers[at];
                holders[place] = oldHolders[at];
            }
        }
    }
}
