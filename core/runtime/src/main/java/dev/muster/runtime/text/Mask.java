package dev.muster.runtime.text;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Masks the secrets of one job in texts about it, wherever they stand. */
public final class Mask implements UnaryOperator<String> {

    /** Shorter values are switches and numbers, and parts of other words. */
    private static final int SHORTEST = 6;

    private final Secrets secrets;
    private final Supplier<Collection<String>> given;
    private @Nullable List<String> values;

    /** @param given what is secret, as it is; looked for with the first text, since most launchers say little and all shall start fast */
    Mask(Secrets secrets, Supplier<Collection<String>> given) {
        this.secrets = secrets;
        this.given = given;
    }

    private synchronized List<String> values() {
        @Nullable List<String> known = values;
        if (known == null) {
            known = given.get().stream()
                    // Lines may be shown one by one, and it may have been made printable already.
                    .flatMap(value -> Stream.concat(Stream.of(value, Printable.escape(value)), value.lines()))
                    .filter(value -> value.length() >= SHORTEST && !value.equals(Secrets.MASK))
                    .distinct()
                    // One may be a part of another.
                    .sorted((one, other) -> Integer.compare(other.length(), one.length()))
                    .toList();
            values = known;
        }
        return known;
    }

    /** The text without the job's secrets, and without what {@link Secrets#hide(String)} finds. */
    @Override
    public String apply(String text) {
        String hidden = text;
        for (String value : values()) {
            hidden = hidden.replace(value, Secrets.MASK);
        }
        return secrets.hide(hidden);
    }
}
