package dev.muster.spi;

/**
 * What an array of an {@link InputValue.Json} may be besides a list: objects of the same keys that still are the bytes of their file.
 * Who reads a hundred thousand of them need not make texts of what is only compared or copied. Whoever does not know of this reads
 * the list, which says the same.
 *
 * @since 0.2
 */
public interface PlainRows {

    /** What {@link #column} and {@link #place} return when there is nothing that could be read this way. */
    int NONE = -1;

    /** The document, ASCII as far as it is told of here. Not a copy, so not to be changed. */
    byte[] bytes();

    /** Where in the first row a key stands; {@link #NONE}: nowhere, or the rows are no objects. */
    int column(String key);

    /**
     * Where in {@link #bytes} the text in a column begins, behind its quotes. {@link #NONE}: the row has other keys than the first one,
     * or there is no text, or a long one; then the list has to be asked.
     */
    int place(int row, int column);

    /** How many bytes the text in a column has, where it has a {@link #place}. It has no escapes. */
    int length(int row, int column);
}
