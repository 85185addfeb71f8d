package dev.muster.engine.ascend;

/** Numbers, 0 or more, in any order, each with another number that it leads to. There is no object for any of them. */
final class ScatteredNumbers {

    /** What {@link #get} returns for a number that is not here. */
    static final long NONE = -1;

    private static final int FEW = 256;
    private static final int GROWTH = 4;
    private static final long FREE = 0;

    /** Numbers that follow each other stand side by side, as many as this has bits; blocks of them stand anywhere. */
    private static final int BLOCK = 15;

    /** A number, and one more, stands at its place or at the next free one; at the same place of the other what it leads to. */
    private long[] numbers = new long[FEW];

    private long[] values = new long[FEW];
    private int size;

    /** What a number leads to; {@link #NONE}: it is not here. */
    long get(long number) {
        int place = place(number + 1);
        return numbers[place] == FREE ? NONE : values[place];
    }

    /** @param number is not here yet */
    void add(long number, long value) {
        if (size >= numbers.length / 2) {
            grow();
        }
        int place = place(number + 1);
        numbers[place] = number + 1;
        values[place] = value;
        size++;
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
        while (in[place] != number && in[place] != FREE) {
            place = (place + 1) & last;
        }
        return place;
    }

    private void grow() {
        long[] oldNumbers = numbers;
        long[] oldValues = values;
        numbers = new long[GROWTH * oldNumbers.length];
        values = new long[numbers.length];
        for (int at = 0; at < oldNumbers.length; at++) {
            if (oldNumbers[at] != FREE) {
                int place = place(oldNumbers[at]);
                numbers[place] = oldNumbers[at];
                values[place] = oldValues[at];
            }
        }
    }
}
