package dev.muster.runtime.json;

import org.jspecify.annotations.Nullable;

/** An object of a {@link FlatDocument}. */
final class FlatObject extends FewFields {

    private final FlatDocument document;
    private final int first;

    /** @param first the place of the first field's value */
    FlatObject(FlatDocument document, String[] keys, int first) {
        super(keys);
        this.document = document;
        this.first = first;
    }

    @Override
    @Nullable Object value(int position) {
        return document.at(first + position);
    }
}
