package dev.muster.runtime.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keys or values, the newest last. A list would copy itself at every step. */
final class Stack {

    private static final int FEW = 64;

    private @Nullable Object[] elements = new Object[FEW];
    private int size;

    int size() {
        return size;
    }

    void push(@Nullable Object element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, size + size / 2);
        }
        elements[size++] = element;
    }

    @Nullable Object at(int position) {
        return elements[position];
    }

    /** Takes away all from a position on. */
    @Nullable Object[] take(int from) {
        @Nullable Object[] taken = Arrays.copyOfRange(elements, from, size);
        cut(from);
        return taken;
    }

    /** Forgets all from a position on. */
    void cut(int from) {
        Arrays.fill(elements, from, size, null);
        size = from;
    }
}
