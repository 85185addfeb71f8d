package dev.muster.engine.ascend;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/** Numbers that follow each other, as the ranks of a node do almost always. */
final class Consecutive extends AbstractList<Integer> implements RandomAccess {

    private final int first;
    private final int size;

    Consecutive(int first, int size) {
        this.first = first;
        this.size = size;
    }

    /** The same numbers, read-only and as small as can be. */
    static List<Integer> copyOf(List<Integer> numbers) {
        if (numbers instanceof Consecutive || numbers.isEmpty()) {
            return numbers instanceof Consecutive ? numbers : List.of();
        }
        int first = numbers.get(0);
        for (int index = 1; index < numbers.size(); index++) {
            if (numbers.get(index) != first + index) {
                return List.copyOf(numbers);
            }
        }
        return new Consecutive(first, numbers.size());
    }

    @Override
    public Integer get(int index) {
        return first + Objects.checkIndex(index, size);
    }

    @Override
    public int size() {
        return size;
    }
}
