package dev.muster.runtime.process;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A record of {@code supervisor.h}: an order to the supervisor, or an event that it tells. */
final class SupervisorMessage {

    private static final int LARGEST = 64 * 1024 * 1024;

    private final String kind;
    /** Each is {@code KEY=VALUE}. */
    private final List<String> fields = new ArrayList<>();

    SupervisorMessage(String kind) {
        this.kind = kind;
    }

    /**
     * Waits for the next one.
     *
     * @throws EOFException there is none any more
     * @throws IOException what came is none
     */
    static SupervisorMessage read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 2 || length > LARGEST) {
            throw new IOException("a record of " + length + " bytes");
        }
        byte[] content = new byte[length];
        in.readFully(content);
        if (content[length - 1] != 0) {
            throw new IOException("a record without an end");
        }
        List<String> words = new ArrayList<>();
        for (int start = 0, end = 0; end < length; end++) {
            if (content[end] == 0) {
                words.add(ByteText.decode(Arrays.copyOfRange(content, start, end)));
                start = end + 1;
            }
        }
        SupervisorMessage message = new SupervisorMessage(words.get(0));
        message.fields.addAll(words.subList(1, words.size()));
        return message;
    }

    /** With its length in front. */
    byte[] bytes() {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        add(content, kind);
        fields.forEach(field -> add(content, field));
        return ByteBuffer.allocate(Integer.BYTES + content.size())
                .putInt(content.size())
                .put(content.toByteArray())
                .array();
    }

    private static void add(ByteArrayOutputStream content, String word) {
        content.writeBytes(ByteText.encode(word));
        content.write(0);
    }

    /** @throws IllegalArgumentException a zero byte is in it, which would end it */
    SupervisorMessage with(String key, Object value) {
        String field = key + "=" + value;
        if (field.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a zero byte is in " + field.substring(0, field.indexOf('\0')));
        }
        fields.add(field);
        return this;
    }

    /** A field for each value. */
    SupervisorMessage withAll(String key, Iterable<?> values) {
        values.forEach(value -> with(key, value));
        return this;
    }

    /** Said only where it is so. */
    SupervisorMessage withFlag(String key, boolean isSet) {
        return isSet ? with(key, 1) : this;
    }

    SupervisorMessage withPath(String key, Optional<Path> value) {
        return value.isPresent() ? with(key, value.get()) : this;
    }

    String kind() {
        return kind;
    }

    /** @throws IOException it has no such number */
    long number(String key) throws IOException {
        try {
            return Long.parseLong(text(key));
        } catch (NumberFormatException noNumber) {
            throw new IOException(kind + " has no number in " + key, noNumber);
        }
    }

    /** @throws IOException it has no such text */
    String text(String key) throws IOException {
        List<String> values = texts(key);
        if (values.isEmpty()) {
            throw new IOException(kind + " has no " + key);
        }
        return values.get(0);
    }

    List<String> texts(String key) {
        String begin = key + "=";
        return fields.stream()
                .filter(field -> field.startsWith(begin))
                .map(field -> field.substring(begin.length()))
                .toList();
    }
}
