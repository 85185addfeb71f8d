package dev.muster.runtime.output;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds line ends in bytes. */
final class Newlines {

    private static final byte NEWLINE = '\n';
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long NEWLINES = NEWLINE * LOW_BITS;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Newlines() {}

    /**
     * The index of the first newline in {@code [from, to)}, or -1. It looks at eight bytes at a time. With only the JVM's C1 compiler
     * this is more than twice as fast as byte by byte.
     */
    static int first(byte[] bytes, int from, int to) {
        int index = from;
        while (index + Long.BYTES <= to) {
            long word = (long) WORDS.get(bytes, index) ^ NEWLINES;
            long zeros = (word - LOW_BITS) & ~word & HIGH_BITS;
            if (zeros != 0) {
                return index + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
            index += Long.BYTES;
        }
        while (index < to && bytes[index] != NEWLINE) {
            index++;
        }
        return index < to ? index : -1;
    }

    /** The index of the last newline in {@code [from, to)}, or -1. */
    static int last(byte[] bytes, int from, int to) {
        int index = to - 1;
        while (index >= from && bytes[index] != NEWLINE) {
            index--;
        }
        return index < from ? -1 : index;
    }
}
