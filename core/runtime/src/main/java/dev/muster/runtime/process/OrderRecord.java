package dev.muster.runtime.process;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** Builds an order in the form of {@code supervisor.h}. */
final class OrderRecord {

    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    OrderRecord(String kind) {
        add(kind);
    }

    OrderRecord number(String key, long value) {
        return add(key + "=" + value);
    }

    OrderRecord numbers(String key, Iterable<Long> values) {
        values.forEach(value -> number(key, value));
        return this;
    }

    /** Said only where it is so. */
    OrderRecord flag(String key, boolean isSet) {
        return isSet ? number(key, 1) : this;
    }

    /** @throws IllegalArgumentException a zero byte is in it, which would end it */
    OrderRecord text(String key, String value) {
        return add(key + "=" + value);
    }

    OrderRecord texts(String key, Iterable<String> values) {
        values.forEach(value -> text(key, value));
        return this;
    }

    OrderRecord path(String key, Optional<Path> value) {
        value.ifPresent(path -> text(key, path.toString()));
        return this;
    }

    /** With its length in front. */
    byte[] bytes() {
        return ByteBuffer.allocate(Integer.BYTES + content.size())
                .putInt(content.size())
                .put(content.toByteArray())
                .array();
    }

    private OrderRecord add(String field) {
        if (field.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a zero byte is in " + field.substring(0, field.indexOf('\0')));
        }
        content.writeBytes(ByteText.encode(field));
        content.write(0);
        return this;
    }
}
