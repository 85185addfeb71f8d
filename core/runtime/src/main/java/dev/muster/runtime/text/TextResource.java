package dev.muster.runtime.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Text files in the jar, beside a class. */
public final class TextResource {

    private TextResource() {}

    /** The whole text. */
    public static String read(Class<?> neighbour, String name) {
        return find(neighbour, name).orElseThrow(() -> new IllegalStateException("no resource " + name));
    }

    /** The whole text, if there is one of this name. */
    public static Optional<String> find(Class<?> neighbour, String name) {
        try (InputStream stream = neighbour.getResourceAsStream(name)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Its lines, without comments, which begin with {@code #}. */
    public static List<String> lines(Class<?> neighbour, String name) {
        return read(neighbour, name)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
