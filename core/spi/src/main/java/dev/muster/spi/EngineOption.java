package dev.muster.spi;

import java.util.List;
import java.util.Optional;

/**
 * An option that an engine understands. The runtime checks the form of the value before the engine sees it.
 *
 * @param name without dashes in front, for example {@code rank-table}
 * @param kind the form of the value
 * @param choices the values allowed for {@link Kind#CHOICE}; else empty
 * @param description one line for the help, without a full stop
 * @param defaultValue the value when nobody gives the option; empty: the option is absent then
 * @since 0.1
 */
@Stability(stable = true)
public record EngineOption(
        String name, Kind kind, List<String> choices, String description, Optional<String> defaultValue) {

    /** The form of an option's value. */
    public enum Kind {
        /** Any text. */
        TEXT,
        /** A path; the runtime makes it absolute against the caller's directory. */
        PATH,
        /** A whole number from 1. */
        COUNT,
        /** A duration such as {@code 500ms}, {@code 2s}, {@code 10m}, {@code 1h}; a bare number is seconds. */
        DURATION,
        /** {@code true} or {@code false}. */
        SWITCH,
        /** One of {@link EngineOption#choices()}. */
        CHOICE
    }

    public EngineOption {
        choices = List.copyOf(choices);
        if (kind == Kind.CHOICE && choices.isEmpty()) {
            throw new IllegalArgumentException("option \"" + name + "\" is a choice of nothing");
        }
    }

    /** An option that is absent unless given. */
    public static EngineOption of(String name, Kind kind, String description) {
        return new EngineOption(name, kind, List.of(), description, Optional.empty());
    }

    /** The same option with a default value. */
    public EngineOption withDefault(String value) {
        return new EngineOption(name, kind, choices, description, Optional.of(value));
    }

    /** The same option, absent unless given. */
    public EngineOption withoutDefault() {
        return new EngineOption(name, kind, choices, description, Optional.empty());
    }

    /** A choice whose first value is the default. */
    public static EngineOption choice(String name, String description, String... choices) {
        return new EngineOption(name, Kind.CHOICE, List.of(choices), description, Optional.of(choices[0]));
    }
}
