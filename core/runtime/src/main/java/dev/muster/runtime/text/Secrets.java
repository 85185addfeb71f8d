package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private static final Pattern LOGIN = Pattern.compile("([^:/\\s]+:)(?![0-9]+$|//).+", Pattern.DOTALL);

    private static final List<String> LOGIN_OPTIONS = List.of("--user", "--proxy-user");

    private final List<String> patterns;

    /** @param more patterns of the user ({@code --mask}), for whole names in any case; {@code *} stands for anything */
    public Secrets(List<String> more) {
        patterns =
                more.stream().map(pattern -> pattern.toUpperCase(Locale.ROOT)).toList();
    }

    /** Whether what has this name is secret: a variable, an option with its dashes, a key of JSON, a header. */
    boolean isSecret(String name) {
        if (SecretNames.has(name)) {
            return true;
        }
        if (patterns.isEmpty()) {
            return false;
        }
        // An option's dashes say nothing of its meaning: --api-key is as secret as API_KEY.
        String upper = name.toUpperCase(Locale.ROOT);
        String variable = upper.replaceFirst("^-+", "").replace('-', '_');
        return patterns.stream().anyMatch(pattern -> matches(pattern, upper) || matches(pattern, variable));
    }

    /** The value to show for a variable. */
    public String show(String name, String value) {
        return isSecret(name) ? MASK : hide(value);
    }

    /** A text of any kind to show, such as a message, JSON or a URL: secrets that can be told by what stands around them are masked. */
    public String hide(String text) {
        return SecretText.of(text, this::isSecret, false).masked();
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
                values.addAll(SecretText.of(value, this::isSecret, false).values());
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
        values.addAll(SecretText.of(argument, this::isSecret, true).values());
    }

    /** A command line to show: {@code --token=V}, {@code --token V} and {@code TOKEN=V} lose V, and {@link #hide(String)} what it finds. */
    public List<String> show(List<String> arguments) {
        List<String> shown = new ArrayList<>(arguments.size());
        String before = "";
        for (String argument : arguments) {
            shown.add(show(before, argument, SCHEME.matcher(argument).matches()));
            before = argument;
        }
        return List.copyOf(shown);
    }

    private String show(String before, String argument, boolean isScheme) {
        if (isValueOf(before, argument) && !isScheme) {
            return MASK;
        }
        int equals = argument.indexOf('=');
        if (equals >= 0 && isName(argument, equals) && isSecret(argument.substring(0, equals))) {
            return argument.substring(0, equals + 1) + MASK;
        }
        Matcher login = LOGIN.matcher(argument);
        if (LOGIN_OPTIONS.contains(before) && login.matches()) {
            return login.group(1) + MASK;
        }
        return SecretText.of(argument, this::isSecret, true).masked();
    }

    /** A script that is one argument goes on after a value. */
    private static boolean isName(String argument, int end) {
        return argument.substring(0, end).chars().noneMatch(Character::isWhitespace);
    }

    /** Whether the argument is the secret that the one before it announces. It may start with a dash. */
    private boolean isValueOf(String before, String argument) {
        if (SCHEME.matcher(before).matches()) {
            return true;
        }
        boolean announces = before.startsWith("-") && before.indexOf('=') < 0 && isSecret(before);
        return announces && !OPTION.matcher(argument).matches();
    }

    /** Backtracks over the last star only, which is enough for patterns that know nothing but stars. */
    private static boolean matches(String pattern, String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int starIn = 0;
        while (in < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                starIn = in;
            } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++starIn;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
