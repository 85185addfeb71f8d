package dev.muster.runtime.process;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An event as the supervisor sends it; the form is that of {@code supervisor.h}. */
record EventRecord(EventKind kind, List<Field> fields) {

    private static final int LARGEST = 64 * 1024 * 1024;
    private static final char EQUALS = '=';

    record Field(String key, String value) {}

    /**
     * Waits for the next one.
     *
     * @throws EOFException there is none any more
     * @throws IOException what came is no event
     */
    static EventRecord read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 2 || length > LARGEST) {
            throw new IOException("a record of " + length + " bytes");
        }
        byte[] content = new byte[length];
        in.readFully(content);
        return parse(content);
    }

    private static EventRecord parse(byte[] content) throws IOException {
        if (content[content.length - 1] != 0) {
            throw new IOException("a record without an end");
        }
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int end = 0; end < content.length; end++) {
            if (content[end] == 0) {
                words.add(ByteText.decode(Arrays.copyOfRange(content, start, end)));
                start = end + 1;
            }
        }
        EventKind kind =
                EventKind.of(words.get(0)).orElseThrow(() -> new IOException("there is no event " + words.get(0)));
        List<Field> fields = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            fields.add(field(kind, word));
        }
        return new EventRecord(kind, fields);
    }

    private static Field field(EventKind kind, String word) throws IOException {
        int equals = word.indexOf(EQUALS);
        String key = word.substring(0, Math.max(0, equals));
        if (!kind.has(key)) {
            throw new IOException(kind + " has no field " + key);
        }
        return new Field(key, word.substring(equals + 1));
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
        return find(key).orElseThrow(() -> new IOException(kind + " has no " + key));
    }

    Optional<String> find(String key) {
        return fields.stream()
                .filter(field -> field.key().equals(key))
                .map(Field::value)
                .findFirst();
    }

    List<String> texts(String key) {
        return fields.stream()
                .filter(field -> field.key().equals(key))
                .map(Field::value)
                .toList();
    }
}
