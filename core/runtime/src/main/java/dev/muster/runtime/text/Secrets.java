package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows what is secret, and masks it in plans, messages and results: the values of variables, options and keys with certain
 * names ({@link SecretNames}, and patterns of the user), and what has a known form ({@link SecretText}). What the user's program
 * prints passes unmasked to its log and the console; where Muster quotes it, it is masked.
 */
public final class Secrets {

    /** What stands where a secret was. */
    public static final String MASK = "******";

    /** Shorter values are switches and numbers, and parts of other words. */
    private static final int SHORTEST = 6;

    /** What a command's option looks like, rather than the value of the one before. */
    private static final Pattern OPTION = Pattern.compile("--(?:[A-Za-z][\\w.-]*+(?:=.*)?)?", Pattern.DOTALL);

    private static final Pattern SCHEME = Pattern.compile("(?i)bearer|authorization:");
    private static final Pattern ASSIGNMENT = Pattern.compile("([^\\s=]++)=.*", Pattern.DOTALL);

    private final List<Predicate<String>> patterns;

    /** @param more patterns of the user ({@code --mask}), for whole names in any case; {@code *} stands for anything */
    public Secrets(List<String> more) {
        patterns = more.stream().map(Secrets::matching).toList();
    }

    private static Predicate<String> matching(String pattern) {
        String expression = Arrays.stream(plain(pattern).split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        Predicate<String> whole = Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL)
                .asMatchPredicate();
        return name -> whole.test(plain(name));
    }

    /** An option's dashes say nothing of its meaning: {@code --api-key} is as secret as {@code API_KEY}. */
    private static String plain(String name) {
        return name.replaceFirst("^-+(?=\\w)", "").replace('-', '_');
    }

    /** Whether what has this name is secret: a variable, an option with its dashes, a key of JSON, a header. */
    boolean isSecret(String name) {
        return SecretNames.has(name) || patterns.stream().anyMatch(pattern -> pattern.test(name));
    }

    /** Whether a text can have the name of a secret in it. */
    boolean mayBeIn(String text) {
        return !patterns.isEmpty() || SecretNames.mayBeIn(text);
    }

    /** The value to show for a variable. */
    public String show(String name, String value) {
        return isSecret(name) ? MASK : hide(value);
    }

    /** A text of any kind to show, such as a message, JSON or a URL: secrets that can be told by what stands around them are masked. */
    public String hide(String text) {
        return new SecretText(text).hideAll(this, false).masked();
    }

    /** A command line to show: {@code --token=V}, {@code --token V} and {@code TOKEN=V} lose V, and {@link #hide(String)} what it finds. */
    public List<String> show(List<String> arguments) {
        return arguments(arguments).stream().map(SecretText::masked).toList();
    }

    private List<SecretText> arguments(List<String> arguments) {
        List<SecretText> texts = new ArrayList<>(arguments.size());
        String before = "";
        for (String argument : arguments) {
            texts.add(argument(before, argument));
            before = argument;
        }
        return texts;
    }

    private SecretText argument(String before, String argument) {
        SecretText text = new SecretText(argument);
        // A script that is one argument goes on after a value.
        Matcher assignment = ASSIGNMENT.matcher(argument);
        if (isValueOf(before, argument)) {
            return text.hideFrom(0);
        }
        if (assignment.matches() && isSecret(assignment.group(1))) {
            text.hideFrom(assignment.end(1) + 1); // the name may be the head of a URL, with a password
        }
        return text.hideAll(this, true);
    }

    /** Whether the argument is the secret that the one before it announces. It may start with a dash. */
    private boolean isValueOf(String before, String argument) {
        boolean announces = before.startsWith("-") && before.indexOf('=') < 0 && isSecret(before);
        return !SCHEME.matcher(argument).matches()
                && (SCHEME.matcher(before).matches()
                        || (announces && !OPTION.matcher(argument).matches()));
    }

    /**
     * What masks texts of a job: {@link #hide(String)}, and the job's own secrets wherever they stand. There may be thousands of
     * variables: they are looked at before the first text, not here.
     *
     * @param variables of the job's processes
     * @param command with its arguments
     */
    public UnaryOperator<String> mask(Map<String, String> variables, List<String> command) {
        AtomicReference<Optional<List<String>>> looked = new AtomicReference<>(Optional.empty());
        UnaryOperator<Optional<List<String>>> look = found -> found.or(() -> Optional.of(values(variables, command)));
        return text -> {
            String hidden = text;
            for (String value : looked.updateAndGet(look).orElseThrow()) {
                hidden = hidden.replace(value, MASK);
            }
            return hide(hidden);
        };
    }

    private List<String> values(Map<String, String> variables, List<String> command) {
        List<String> found = new ArrayList<>();
        variables.forEach((name, value) -> found.addAll(values(name, value)));
        arguments(command).forEach(argument -> found.addAll(argument.values()));
        return found.stream()
                // Lines may be shown one by one, and it may have been made printable already.
                .flatMap(
                        value -> Stream.concat(Stream.of(value, value.strip(), Printable.escape(value)), value.lines()))
                .filter(value -> value.length() >= SHORTEST && !value.equals(MASK))
                .distinct()
                // One may be a part of another.
                .sorted((one, other) -> Integer.compare(other.length(), one.length()))
                .toList();
    }

    private List<String> values(String name, String value) {
        if (value.length() < SHORTEST) {
            return List.of();
        }
        return isSecret(name)
                ? List.of(value)
                : new SecretText(value).hideAll(this, false).values();
    }
}
