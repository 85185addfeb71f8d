package dev.muster.runtime.json;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An array of a {@link FlatDocument}, read-only. */
final class FlatArray extends AbstractList<@Nullable Object> implements RandomAccess {

    private final FlatDocument document;
    private final int first;
    private final int size;

    /** @param first the place of the first element */
    FlatArray(FlatDocument document, int first, int size) {
        this.document = document;
        this.first = first;
        this.size = size;
    }

    @Override
    public @Nullable Object get(int index) {
        return document.at(first + Objects.checkIndex(index, size));
    }

    @Override
    public int size() {
        return size;
    }
}
