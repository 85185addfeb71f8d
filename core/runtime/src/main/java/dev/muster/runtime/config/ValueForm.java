package dev.muster.runtime.config;

import dev.muster.runtime.runs.RestartOn;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Nearest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What the value of an option looks like.
 *
 * @param valueName stands for the value in the help, for example {@code DIR}; empty for switches
 * @param isValid whether a text is such a value
 * @param description what a value must be, to be read after a wrong value
 */
public record ValueForm(Kind kind, String valueName, Predicate<String> isValid, UnaryOperator<String> description) {

    /** The kinds of value that readers treat differently. */
    public enum Kind {
        TEXT,
        /** Made absolute against the caller's directory. */
        PATH,
        /** May also be a list in the configuration file: see {@link NumberList}. */
        CARD_IDS,
        /** {@code true} or {@code false}; on the command line no value means true. */
        SWITCH
    }

    static final ValueForm SWITCH =
            of(Kind.SWITCH, "", value -> value.equals("true") || value.equals("false"), "true or false");

    static final Duration LONGEST = Duration.ofHours(10_000);

    static final ValueForm CARD_IDS =
            of(Kind.CARD_IDS, "LIST", value -> NumberList.cards(value).isPresent(), NumberList.CARDS);
    static final ValueForm RANKS = of("RANKS", value -> NumberList.ranks(value).isPresent(), NumberList.RANKS);
    static final ValueForm ID = of("ID", SafeName::matches, "a name (" + SafeName.FORM + ")");
    static final ValueForm ASSIGNMENT = of("NAME=VALUE", value -> value.indexOf('=') > 0, "NAME=VALUE");
    static final ValueForm HOST_LIST = of("H,...", Hosts::areValid, Hosts.FORM);
    static final ValueForm SSH_HOST_LIST = of("H,...", SshHost::areValid, SshHost.FORM);
    static final ValueForm ENDS = of("LIST", RestartOn::isValid, RestartOn.FORM);
    static final ValueForm FAULT =
            new ValueForm(Kind.TEXT, "FAULT", value -> Fault.parse(value).isPresent(), Fault::description);
    static final ValueForm NAME_PATTERN = of(
            "PATTERN",
            value -> value.matches("[^,\\s]+"),
            "a name without commas and blanks, where * stands for anything, such as DB_*");
    static final ValueForm DURATION = duration("from 0s", value -> true);
    static final ValueForm TIME_OF_A_JOB =
            duration("above 0s", value -> !Durations.parse(value).isZero());
    /** A launcher sends a heartbeat every second, so with less it would always count as lost. */
    static final ValueForm SILENCE =
            duration("from 1s", value -> Durations.parse(value).toSeconds() > 0);

    private static final String BETWEEN_CHOICES = "|";

    private static ValueForm of(Kind kind, String valueName, Predicate<String> isValid, String description) {
        return new ValueForm(kind, valueName, isValid, value -> description);
    }

    private static ValueForm of(String valueName, Predicate<String> isValid, String description) {
        return of(Kind.TEXT, valueName, isValid, description);
    }

    static ValueForm number(String valueName, int minimum, int maximum) {
        return of(
                valueName,
                value -> WholeNumber.parse(value, minimum, maximum).isPresent(),
                "a whole number " + minimum + ".." + maximum);
    }

    static ValueForm text(String valueName) {
        return of(valueName, value -> true, "a text");
    }

    static ValueForm path(String valueName) {
        return of(Kind.PATH, valueName, value -> !value.isEmpty() && value.indexOf('\0') < 0, "a path");
    }

    private static ValueForm duration(String least, Predicate<String> isLong) {
        return of(
                "D",
                value -> isDuration(value) && isLong.test(value),
                "a duration " + least + " to " + Durations.format(LONGEST) + ", such as " + Durations.FORM);
    }

    static ValueForm choice(String... choices) {
        List<String> all = List.of(choices);
        return oneOf(all, all::contains);
    }

    static ValueForm signal(String... choices) {
        List<String> all = List.of(choices);
        return oneOf(all, value -> all.contains(SignalName.plain(value)));
    }

    private static ValueForm oneOf(List<String> choices, Predicate<String> isValid) {
        return new ValueForm(
                Kind.TEXT,
                String.join(BETWEEN_CHOICES, choices),
                isValid,
                value -> "one of " + String.join(", ", choices) + Nearest.suggestion(value, choices));
    }

    /** The possible values; empty: there is no short list. */
    public List<String> choices() {
        return valueName.contains(BETWEEN_CHOICES) ? List.of(valueName.split("[|]")) : List.of();
    }

    public boolean isSwitch() {
        return kind == Kind.SWITCH;
    }

    /** What is wrong with a value, to be read after it, for example {@code is not true or false}; empty: nothing. */
    public Optional<String> problem(String value) {
        return isValid.test(value) ? Optional.empty() : Optional.of("is not " + description.apply(value));
    }

    static boolean isDuration(String value) {
        try {
            return Durations.parse(value).compareTo(LONGEST) <= 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
