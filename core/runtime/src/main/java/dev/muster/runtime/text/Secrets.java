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
 * Masks secrets in plans, messages and results. Secrets are the values of certain names ({@link SecretNames}, and patterns of the user),
 * and values of known forms ({@link SecretText}). Output of the user's program goes to its log and the console unmasked. Quotes of it are
 * masked.
 */
public final class Secrets {

    /** Replaces a secret. */
    public static final String MASK = "******";

    /** Shorter values are switches, numbers, or parts of other words. */
    private static final int SHORTEST = 6;

    /** An option of a command, as opposed to the value of the option before. */
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

    /** Dashes do not matter: {@code --api-key} is as secret as {@code API_KEY}. */
    private static String plain(String name) {
        return name.replaceFirst("^-+(?=\\w)", "").replace('-', '_');
    }

    /** Whether the name of a variable, an option with its dashes, a JSON key or a header is secret. */
    boolean isSecret(String name) {
        return SecretNames.has(name) || patterns.stream().anyMatch(pattern -> pattern.test(name));
    }

    /** Whether a text may contain the name of a secret. */
    boolean mayBeIn(String text) {
        return !patterns.isEmpty() || SecretNames.mayBeIn(text);
    }

    /** The value to show for a variable. */
    public String show(String name, String value) {
        return isSecret(name) ? MASK : hide(value);
    }

    /** Masks the secrets in a text of any kind, such as a message, JSON or a URL, as far as their surroundings identify them. */
    public String hide(String text) {
        return new SecretText(text).hideAll(this, false).masked();
    }

    /** A command line to show, without secret values, as V in {@code --token=V}, {@code --token V} and {@code TOKEN=V}. */
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
        // The argument may be a whole script, which continues after the value.
        Matcher assignment = ASSIGNMENT.matcher(argument);
        if (isValueOf(before, argument)) {
            return text.hideFrom(0);
        }
        if (assignment.matches() && isSecret(assignment.group(1))) {
            text.hideFrom(assignment.end(1) + 1); // the name may begin a URL with a password
        }
        return text.hideAll(this, true);
    }

    /** Whether the argument is the secret value of the option before it. A value may start with a dash. */
    private boolean isValueOf(String before, String argument) {
        boolean announces = before.startsWith("-") && before.indexOf('=') < 0 && isSecret(before);
        return !SCHEME.matcher(argument).matches()
                && (SCHEME.matcher(before).matches()
                        || (announces && !OPTION.matcher(argument).matches()));
    }

    /**
     * The mask for texts of a job: {@link #hide(String)}, and the job's own secrets wherever they occur. It examines the variables at its
     * first use, because there may be thousands.
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
                // Texts may be shown line by line, or be already escaped.
                .flatMap(
                        value -> Stream.concat(Stream.of(value, value.strip(), Printable.escape(value)), value.lines()))
                .filter(value -> value.length() >= SHORTEST && !value.equals(MASK))
                .distinct()
                // The longest first: one secret may be part of another.
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
