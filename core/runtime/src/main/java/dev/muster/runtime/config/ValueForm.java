package dev.muster.runtime.config;

import dev.muster.runtime.runs.RestartOn;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Nearest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the value of an option looks like.
 *
 * @param valueName stands for the value in the help, for example {@code DIR}; empty for switches
 * @param choices the values allowed for {@link Kind#CHOICE} and {@link Kind#SIGNAL}, else empty
 * @param minimum of a {@link Kind#NUMBER}
 * @param maximum of a {@link Kind#NUMBER}
 */
public record ValueForm(Kind kind, String valueName, List<String> choices, int minimum, int maximum) {

    /** The kinds of value. */
    public enum Kind {
        TEXT,
        /** Made absolute against the caller's directory. */
        PATH,
        DURATION,
        NUMBER,
        /** See {@link CardIds}. */
        CARD_IDS,
        /** See {@link SafeName}. */
        NAME,
        /** {@code NAME=VALUE}. */
        ASSIGNMENT,
        /** Host names or addresses with commas between. */
        HOSTS,
        /** See {@link Fault}. */
        FAULT,
        CHOICE,
        /** See {@link SignalName}. */
        SIGNAL,
        /** See {@link RestartOn}. */
        ENDS,
        /** {@code true} or {@code false}; on the command line no value means true. */
        SWITCH
    }

    static final ValueForm SWITCH = of(Kind.SWITCH, "");

    static final Duration LONGEST = Duration.ofHours(10_000);

    public ValueForm {
        choices = List.copyOf(choices);
    }

    private static ValueForm of(Kind kind, String valueName) {
        return new ValueForm(kind, valueName, List.of(), 0, 0);
    }

    static ValueForm number(String valueName, int minimum, int maximum) {
        return new ValueForm(Kind.NUMBER, valueName, List.of(), minimum, maximum);
    }

    static ValueForm text(String valueName) {
        return of(Kind.TEXT, valueName);
    }

    static ValueForm path(String valueName) {
        return of(Kind.PATH, valueName);
    }

    static ValueForm cardIds() {
        return of(Kind.CARD_IDS, "LIST");
    }

    static ValueForm safeName(String valueName) {
        return of(Kind.NAME, valueName);
    }

    static ValueForm assignment() {
        return of(Kind.ASSIGNMENT, "NAME=VALUE");
    }

    static ValueForm hosts() {
        return of(Kind.HOSTS, "H,...");
    }

    static ValueForm ends() {
        return of(Kind.ENDS, "LIST");
    }

    static ValueForm fault() {
        return of(Kind.FAULT, "FAULT");
    }

    static ValueForm duration() {
        return of(Kind.DURATION, "D");
    }

    static ValueForm choice(String... choices) {
        return new ValueForm(Kind.CHOICE, String.join("|", choices), List.of(choices), 0, 0);
    }

    static ValueForm signal(String... choices) {
        return new ValueForm(Kind.SIGNAL, String.join("|", choices), List.of(choices), 0, 0);
    }

    public boolean isSwitch() {
        return kind == Kind.SWITCH;
    }

    /** What is wrong with a value, to be read after it, for example {@code is not true or false}; empty: nothing. */
    public Optional<String> problem(String value) {
        return isValid(value) ? Optional.empty() : Optional.of("is not " + description(value));
    }

    private boolean isValid(String value) {
        return switch (kind) {
            case TEXT -> true;
            case PATH -> !value.isEmpty() && value.indexOf('\0') < 0;
            case DURATION -> isDuration(value);
            case NUMBER -> WholeNumber.parse(value, minimum, maximum).isPresent();
            case CARD_IDS -> CardIds.parse(value).isPresent();
            case NAME -> SafeName.matches(value);
            case ASSIGNMENT -> value.indexOf('=') > 0;
            case HOSTS -> Hosts.areValid(value);
            case FAULT -> Fault.parse(value).isPresent();
            case CHOICE -> choices.contains(value);
            case SIGNAL -> choices.contains(SignalName.plain(value));
            case ENDS -> RestartOn.isValid(value);
            case SWITCH -> value.equals("true") || value.equals("false");
        };
    }

    private String description(String value) {
        return switch (kind) {
            case TEXT -> "a text";
            case PATH -> "a path";
            case DURATION -> "a duration from 0s to " + Durations.format(LONGEST) + ", such as " + Durations.FORM;
            case NUMBER -> "a whole number " + minimum + ".." + maximum;
            case CARD_IDS -> CardIds.FORM;
            case NAME -> "a name (" + SafeName.FORM + ")";
            case ASSIGNMENT -> valueName;
            case HOSTS -> Hosts.FORM;
            case FAULT -> Fault.description(value);
            case CHOICE, SIGNAL -> "one of " + String.join(", ", choices) + Nearest.suggestion(value, choices);
            case ENDS -> RestartOn.FORM;
            case SWITCH -> "true or false";
        };
    }

    private static boolean isDuration(String value) {
        try {
            return Durations.parse(value).compareTo(LONGEST) <= 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
