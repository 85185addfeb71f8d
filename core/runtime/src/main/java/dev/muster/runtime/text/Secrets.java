package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Knows what is secret, and masks it in plans, messages and results: the values of variables, options and keys with certain
 * names ({@link SecretNames}, and patterns of the user), passwords in URLs, headers, and what has the form of a well-known
 * token. What the user's program prints passes unmasked to its log and the console; where Muster quotes it, it is masked.
 */
public final class Secrets {

    /** What stands where a secret was. */
    public static final String MASK = "******";

    /** What a command's option looks like, rather than the value of the one before. */
    private static final Pattern OPTION = Pattern.compile("--(?:[A-Za-z][\\w.-]*+(?:=.*)?)?", Pattern.DOTALL);

    private static final Pattern SCHEME = Pattern.compile("(?i)bearer|authorization:");

    private static final Pattern ASSIGNMENT = Pattern.compile("(?<name>[^\\s=]++)=.*", Pattern.DOTALL);

    private static final Pattern LOGIN = Pattern.compile("([^:/\\s]+:)(?![0-9]+$|//).+", Pattern.DOTALL);

    private static final List<String> LOGIN_OPTIONS = List.of("--user", "--proxy-user");

    private final List<Predicate<String>> patterns;

    /** @param more patterns of the user ({@code --mask}), for whole names in any case; {@code *} stands for anything */
    public Secrets(List<String> more) {
        patterns = more.stream().map(Secrets::matching).toList();
    }

    private static Predicate<String> matching(String pattern) {
        String expression =
                Arrays.stream(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL)
                .asMatchPredicate();
    }

    /** Whether what has this name is secret: a variable, an option with its dashes, a key of JSON, a header. */
    boolean isSecret(String name) {
        return SecretNames.has(name) || patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** An option's dashes say nothing of its meaning: {@code --api-key} is as secret as {@code API_KEY}. */
    private static boolean matches(Predicate<String> pattern, String name) {
        return pattern.test(name) || pattern.test(name.replaceFirst("^-+", "").replace('-', '_'));
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
        return SecretText.of(text, this, false).masked();
    }

    /**
     * What masks texts of a job: {@link #hide(String)}, and the job's own secrets wherever they stand.
     *
     * @param variables of the job's processes
     * @param command with its arguments
     */
    public Mask mask(Map<String, String> variables, List<String> command) {
        return new Mask(this, () -> valuesIn(variables, command));
    }

    private List<String> valuesIn(Map<String, String> variables, List<String> command) {
        List<String> values = new ArrayList<>();
        variables.forEach((name, value) -> {
            if (isSecret(name)) {
                values.add(value);
            } else {
                values.addAll(SecretText.of(value, this, false).values());
            }
        });
        List<String> shown = show(command);
        for (int index = 0; index < shown.size(); index++) {
            addHidden(command.get(index), shown.get(index), values);
        }
        return values;
    }

    private void addHidden(String argument, String shown, List<String> values) {
        if (shown.endsWith(MASK) && argument.startsWith(shown.substring(0, shown.length() - MASK.length()))) {
            values.add(argument.substring(shown.length() - MASK.length()));
        }
        values.addAll(SecretText.of(argument, this, true).values());
    }

    /** A command line to show: {@code --token=V}, {@code --token V} and {@code TOKEN=V} lose V, and {@link #hide(String)} what it finds. */
    public List<String> show(List<String> arguments) {
        List<String> shown = new ArrayList<>(arguments.size());
        String before = "";
        for (String argument : arguments) {
            shown.add(showNext(before, argument));
            before = argument;
        }
        return List.copyOf(shown);
    }

    private String showNext(String before, String argument) {
        if (isValueOf(before, argument) && !SCHEME.matcher(argument).matches()) {
            return MASK;
        }
        // A script that is one argument goes on after a value.
        Matcher assignment = ASSIGNMENT.matcher(argument);
        if (assignment.matches() && isSecret(assignment.group("name"))) {
            return assignment.group("name") + "=" + MASK;
        }
        Matcher login = LOGIN.matcher(argument);
        if (LOGIN_OPTIONS.contains(before) && login.matches()) {
            return login.group(1) + MASK;
        }
        return SecretText.of(argument, this, true).masked();
    }

    /** Whether the argument is the secret that the one before it announces. It may start with a dash. */
    private boolean isValueOf(String before, String argument) {
        boolean announces = before.startsWith("-") && before.indexOf('=') < 0 && isSecret(before);
        return SCHEME.matcher(before).matches()
                || (announces && !OPTION.matcher(argument).matches());
    }
}
