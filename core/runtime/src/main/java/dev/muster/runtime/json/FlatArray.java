package dev.muster.runtime.json;

import dev.muster.spi.PlainRows;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An array of a {@link FlatDocument}, read-only. */
final class FlatArray extends AbstractList<@Nullable Object> implements RandomAccess, PlainRows {

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

    @Override
    public byte[] bytes() {
        return document.bytes();
    }

    @Override
    public int column(String key) {
        return size == 0 ? NONE : document.column(first, key);
    }

    @Override
    public int place(int row, int column) {
        return document.place(first, first + row, column);
    }

    @Override
    public int length(int row, int column) {
        return document.length(first + row, column);
    }
}
