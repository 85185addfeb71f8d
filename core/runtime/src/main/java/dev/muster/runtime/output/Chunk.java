package dev.muster.runtime.output;

/** A piece of console output on its way, for standard output or standard error. */
final class Chunk {

    static final int CAPACITY = 64 * 1024;

    private final byte[] bytes;
    private int length;
    private boolean error;

    Chunk() {
        this(CAPACITY);
    }

    Chunk(int capacity) {
        bytes = new byte[capacity];
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    int room() {
        return bytes.length - length;
    }

    boolean isError() {
        return error;
    }

    boolean startsWithNewline() {
        return length > 0 && bytes[0] == '\n';
    }

    /** Empties it for new content. */
    void reset(boolean forError) {
        length = 0;
        error = forError;
    }

    void append(byte[] source, int from, int count) {
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }
}
