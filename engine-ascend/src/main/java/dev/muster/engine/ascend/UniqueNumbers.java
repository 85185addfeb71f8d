package dev.muster.engine.ascend;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that may appear only once. A table of a hundred thousand cards has some of every card, and who launches waits for them:
 * there is no object for any of them.
 */
final class UniqueNumbers {

    private static final int FEW = 256;
    private static final int GROWTH = 4;
    private static final long NONE = 0;

    /** Numbers that follow each other stand side by side, as many as this has bits; blocks of them stand anywhere. */
    private static final int BLOCK = 15;

    /** A number, and one more, stands at its place or at the next free one; at the same place of the others the array that holds it, and where. */
    private long[] numbers = new long[FEW];

    private @Nullable JsonView[] arrays = new JsonView[FEW];
    private int[] indexes = new int[FEW];
    private int size;

    /**
     * Adds a number, 0 or more.
     *
     * @param holder an element of an array
     * @return who holds it already; empty when nobody does
     */
    Optional<JsonView> add(long number, JsonView holder) {
        if (size >= numbers.length / 2) {
            grow();
        }
        int place = place(number + 1);
        JsonView array = arrays[place];
        if (array != null) {
            return Optional.of(array.element(indexes[place]));
        }
        numbers[place] = number + 1;
        arrays[place] = holder.array();
        indexes[place] = holder.index();
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
        @Nullable JsonView[] oldArrays = arrays;
        int[] oldIndexes = indexes;
        numbers = new long[GROWTH * oldNumbers.length];
        arrays = new JsonView[numbers.length];
        indexes = new int[numbers.length];
        for (int at = 0; at < oldNumbers.length; at++) {
            if (oldNumbers[at] != NONE) {
                int place = place(oldNumbers[at]);
                numbers[place] = oldNumbers[at];
                arrays[place] = oldArrays[at];
                indexes[place] = oldIndexes[at];
            }
        }
    }
}
