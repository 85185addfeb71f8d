package dev.muster.engine.ascend;

import dev.muster.spi.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** ASCII text in the making, of megabytes perhaps, from pieces that are bytes already. */
final class AsciiText {

    /** Before it, other text may be put in the end without moving this. */
    private static final int ROOM = 256;

    private static final int MOST_DIGITS = 10;

    private byte[] bytes;

    /** The bytes, to copy others in. */
    private ByteBuffer room;

    private int length = ROOM;

    /** @param size how many bytes it will have as a rule */
    AsciiText(int size) {
        bytes = new byte[ROOM + size];
        room = ByteBuffer.wrap(bytes);
    }

    /** The bytes of ASCII characters; of any other one a question mark. */
    static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.ISO_8859_1);
    }

    AsciiText append(byte[] piece) {
        return append(piece, 0, piece.length);
    }

    AsciiText append(byte[] from, int start, int size) {
        grow(size);
        room.put(length, from, start, size);
        length += size;
        return this;
    }

    AsciiText append(String ascii) {
        return append(bytes(ascii));
    }

    /** Adds a part of another text. */
    AsciiText append(AsciiText other, int start, int end) {
        return append(other.bytes, start, end - start);
    }

    /** @param number 0 or more */
    AsciiText append(int number) {
        grow(MOST_DIGITS);
        int digits = 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /**
     * Adds a part of this text once more.
     *
     * @return the bytes of the text, to be changed in the copy
     */
    byte[] repeat(int start, int end) {
        append(this, start, end);
        return bytes;
    }

    /** Forgets what stands from a place on. */
    void cut(int end) {
        length = end;
    }

    /** Where the next piece will stand, as {@link #append(AsciiText, int, int)} takes it. */
    int end() {
        return length;
    }

    /** All of it behind another text, which is short. Nothing can be added any more. */
    Value after(String head) {
        byte[] first = bytes(head);
        int start = ROOM - first.length;
        room.put(start, first);
        return Value.of(bytes, start, length - start);
    }

    private void grow(int size) {
        if (length + size > bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2 + size);
            room = ByteBuffer.wrap(bytes);
        }
    }
}
