package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Knows which names belong to secrets, and masks their values in plans, messages and results. Patterns match whole names, in
 * any case; {@code *} stands for anything. What the user's program prints is never masked.
 */
public final class Secrets {

    /** What stands where a secret was. */
    public static final String MASK = "******";

    private static final List<String> ALWAYS =
            List.of("*_KEY", "*SECRET*", "*TOKEN*", "*PASSWORD*", "S3_*", "CRED*", "SCC*");

    /** Shorter values are switches and numbers, and parts of other words. */
    private static final int SHORTEST = 6;

    private final List<String> patterns;

    /** @param more patterns of the user ({@code --mask}), beside those that always hold */
    public Secrets(List<String> more) {
        patterns = Stream.concat(ALWAYS.stream(), more.stream())
                .map(pattern -> pattern.toUpperCase(Locale.ROOT))
                .toList();
    }

    public boolean isSecret(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return patterns.stream().anyMatch(pattern -> matches(pattern, upper));
    }

    /** The value to show for a variable. */
    public String show(String name, String value) {
        return isSecret(name) ? MASK : value;
    }

    /** A text with the values of the secrets among these variables masked, wherever they stand. */
    public String hide(String text, Map<String, String> variables) {
        List<String> values = variables.entrySet().stream()
                .filter(variable -> isSecret(variable.getKey()))
                .map(Map.Entry::getValue)
                // It may have been made printable already.
                .flatMap(value -> Stream.of(value, Printable.escape(value)))
                .filter(value -> value.length() >= SHORTEST)
                // One may be a part of another.
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, MASK);
        }
        return hidden;
    }

    /** A command line to show: {@code --token=V}, {@code --token V} and {@code TOKEN=V} lose V. */
    public List<String> show(List<String> arguments) {
        List<String> shown = new ArrayList<>(arguments.size());
        boolean nextIsSecret = false;
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            boolean secretName = isSecret(optionName(equals < 0 ? argument : argument.substring(0, equals)));
            if (nextIsSecret && !argument.startsWith("-")) {
                shown.add(MASK);
            } else if (secretName && equals >= 0) {
                shown.add(argument.substring(0, equals + 1) + MASK);
            } else {
                shown.add(argument);
            }
            nextIsSecret = secretName && equals < 0 && argument.startsWith("-");
        }
        return List.copyOf(shown);
    }

    /** An option's dashes say nothing of its meaning: {@code --api-key} is as secret as {@code API_KEY}. */
    private static String optionName(String text) {
        int start = 0;
        while (start < text.length() && text.charAt(start) == '-') {
            start++;
        }
        return text.substring(start).replace('-', '_');
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
