package dev.muster.runtime.process;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A record of {@code supervisor.h}: an order to the native supervisor, or an event from it. */
final class SupervisorMessage {

    private final String kind;
    /** Each is {@code KEY=VALUE}. */
    private final List<String> fields = new ArrayList<>();

    SupervisorMessage(String kind) {
        this.kind = kind;
    }

    /**
     * Waits for the next message.
     *
     * @throws EOFException the connection has ended
     */
    static SupervisorMessage read(InputStream in) throws IOException {
        SupervisorMessage message = new SupervisorMessage(word(in));
        for (String field = word(in); !field.isEmpty(); field = word(in)) {
            message.fields.add(field);
        }
        return message;
    }

    private static String word(InputStream in) throws IOException {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            word.write(next);
        }
        return ByteText.decode(word.toByteArray());
    }

    /** The bytes to send. */
    byte[] bytes() {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        add(content, kind);
        fields.forEach(field -> add(content, field));
        content.write(0);
        return content.toByteArray();
    }

    private static void add(ByteArrayOutputStream content, String word) {
        content.writeBytes(ByteText.encode(word));
        content.write(0);
    }

    /** @throws IllegalArgumentException it contains a zero byte, which would end it */
    SupervisorMessage with(String key, Object value) {
        String field = key + "=" + value;
        if (field.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a zero byte is in " + field.substring(0, field.indexOf('\0')));
        }
        fields.add(field);
        return this;
    }

    /** Adds a field for each value. */
    SupervisorMessage withAll(String key, Iterable<?> values) {
        values.forEach(value -> with(key, value));
        return this;
    }

    /** Adds a field only if the flag is set. */
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
        return values(key).findFirst().orElseThrow(() -> new IOException(kind + " has no " + key));
    }

    List<String> texts(String key) {
        return values(key).toList();
    }

    private Stream<String> values(String key) {
        String begin = key + "=";
        return fields.stream().filter(field -> field.startsWith(begin)).map(field -> field.substring(begin.length()));
    }
}
