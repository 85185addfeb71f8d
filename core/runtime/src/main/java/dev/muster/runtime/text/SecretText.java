package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the secrets in one text by what stands around them: the values of secret names in JSON (also in JSON that is a text of
 * JSON), in assignments, headers and queries; passwords of URLs; and what has the form of a well-known token. Takes time that
 * grows with the text's length only, since texts may be large, and hostile.
 */
final class SecretText {

    private static final int LONGEST_NAME = 128;

    /** Values that tell nothing; the last one stands for a value in what our own messages advise. */
    private static final Set<String> EMPTY_VALUES = Set.of("null", "None", "true", "false", "True", "False", "FILE");

    private static final Pattern SCHEME =
            Pattern.compile("(?i)(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\\s++(?=\\S)");

    // What Clues finds out beforehand must be all that these can match.
    static final Pattern BEARER = Pattern.compile("(?i)\\bbearer\\s++([a-z0-9._~+/=-]{8,}+)");

    static final Pattern WELL_KNOWN = Pattern.compile("\\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}\\b|gh[pousr]_[A-Za-z0-9]{20,}+"
            + "|github_pat_\\w{20,}+|hf_[A-Za-z0-9]{30,}+|glpat-[\\w-]{20,}+|xox[abprs]-[\\w-]{10,}+|sk-[\\w-]{20,}+"
            + "|eyJ[\\w-]{10,}+\\.[\\w-]{10,}+\\.[\\w-]*+)");

    static final Pattern PRIVATE_KEY = Pattern.compile("-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----");
    private static final String END_OF_KEY = "-----END ";

    private final String text;
    private final Predicate<String> isSecret;
    private final BitSet hidden = new BitSet();

    private SecretText(String text, Predicate<String> isSecret) {
        this.text = text;
        this.isSecret = isSecret;
    }

    /**
     * A text and its secrets.
     *
     * @param isSecret what has such a name, an option with its dashes
     * @param isCommand whether the text is a command, or a part of one
     */
    static SecretText of(String text, Predicate<String> isSecret, boolean isCommand) {
        SecretText found = new SecretText(text, isSecret);
        Clues clues = Clues.in(text);
        if (clues.areNone()) {
            return found;
        }
        if (clues.has(Clues.PAIR)) {
            found.hidePairs();
        }
        new UrlSecrets(text, found.hidden).hide(clues);
        new OptionSecrets(text, found.hidden, isSecret).hide(clues, isCommand);
        found.hideForms(clues);
        return found;
    }

    /** The text with a mask for each secret. */
    String masked() {
        if (hidden.isEmpty()) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text.length());
        int shown = 0;
        for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
            masked.append(text, shown, from).append(Secrets.MASK);
            shown = hidden.nextClearBit(from);
        }
        return masked.append(text, shown, text.length()).toString();
    }

    /** The secrets themselves. */
    List<String> values() {
        List<String> values = new ArrayList<>();
        int end = 0;
        for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(end)) {
            end = hidden.nextClearBit(from);
            values.add(text.substring(from, end));
        }
        return values;
    }

    // --- names with values

    private void hidePairs() {
        for (int at = 0; at < text.length(); at++) {
            char separator = text.charAt(at);
            if ((separator == ':' || separator == '=') && isAlone(at)) {
                at = Math.max(at, hideValueOf(name(at), at + 1) - 1);
            }
        }
    }

    /** Not a part of {@code ==}, {@code !=}, {@code ::} or {@code ://}. */
    private boolean isAlone(int at) {
        char separator = text.charAt(at);
        char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        char before = at > 0 ? text.charAt(at - 1) : ' ';
        return separator == ':'
                ? next != ':' && next != '=' && before != ':' && !text.startsWith("//", at + 1)
                : next != '=' && next != '~' && next != '>' && "=!<>".indexOf(before) < 0;
    }

    /** @param quotes how many backslashes stand before the quotes of this level; -1: the name has none */
    private record Name(String text, int quotes, boolean isOption) {}

    private Name name(int separator) {
        int end = separator;
        if (end > 0 && text.charAt(separator) == '=' && ":+".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        while (end > 0 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '\t')) {
            end--;
        }
        int quotes = -1;
        if (end > 0 && isQuote(text.charAt(end - 1))) {
            end--;
            quotes = backslashesBefore(end);
            end -= quotes;
        }
        int start = end;
        while (start > 0 && end - start < LONGEST_NAME && isOfName(text.charAt(start - 1), quotes >= 0)) {
            start--;
        }
        String name = text.substring(start, end);
        return new Name(name, quotes, name.startsWith("-") || name.startsWith("MUSTER_"));
    }

    private static boolean isOfName(char character, boolean isQuoted) {
        return Character.isLetterOrDigit(character) || "_-.".indexOf(character) >= 0 || (isQuoted && character == ' ');
    }

    /** @return where the search goes on */
    private int hideValueOf(Name name, int from) {
        // In messages of ours the origin of a value stands before a colon.
        boolean isOrigin = text.charAt(from - 1) == ':' && name.isOption();
        if (name.text().isEmpty() || isOrigin || !isSecret.test(name.text())) {
            return from;
        }
        int start = from;
        while (start < text.length() && isBlank(text.charAt(start), name.quotes() >= 0)) {
            start++;
        }
        int quote = quoteAt(start);
        if (quote >= 0) {
            int backslashes = backslashesBefore(quote);
            int end = closing(quote + 1, text.charAt(quote), backslashes);
            hidden.set(quote + 1, end);
            return end;
        }
        if (start < text.length() && "{[".indexOf(text.charAt(start)) >= 0) {
            int end = balanced(start, Math.max(0, name.quotes()));
            hidden.set(start, end);
            return end;
        }
        return Math.max(from, hideWord(name, start));
    }

    private static boolean isBlank(char character, boolean linesToo) {
        return character == ' ' || character == '\t' || (linesToo && (character == '\n' || character == '\r'));
    }

    /** The index of a quote that begins a text here, after backslashes or a prefix of Python's; -1: there is none. */
    private int quoteAt(int start) {
        int at = start;
        while (at < text.length() && at < start + 2 && "bBuUrRfF".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        int backslashes = at;
        while (at < text.length() && text.charAt(at) == '\\') {
            at++;
        }
        boolean isText = at < text.length() && isQuote(text.charAt(at));
        return isText && (backslashes == start || at == backslashes) ? at : -1;
    }

    /** Where a text in quotes ends: a quote with so many backslashes closes it, one with fewer closes what is around it. */
    private int closing(int from, char quote, int backslashes) {
        int run = 0;
        for (int at = from; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == quote && (run < backslashes || run % (2 * (backslashes + 1)) == backslashes)) {
                return at - Math.min(run, backslashes);
            }
            run = character == '\\' ? run + 1 : 0;
        }
        return text.length();
    }

    /** Where an object or a list ends. */
    private int balanced(int from, int backslashes) {
        int depth = 0;
        for (int at = from; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"') {
                if (backslashesBefore(at) < backslashes) {
                    return at;
                }
                at = closing(at + 1, character, backslashes) + backslashes;
            } else if (character == '{' || character == '[') {
                depth++;
            } else if ((character == '}' || character == ']') && --depth == 0) {
                return at + 1;
            }
        }
        return text.length();
    }

    /** The end of a value without quotes. */
    private int hideWord(Name name, int start) {
        String upper = name.text().toUpperCase(Locale.ROOT);
        boolean isLine = upper.endsWith("AUTHORIZATION") || upper.endsWith("COOKIE");
        Matcher scheme = SCHEME.matcher(text).region(start, text.length());
        int word = scheme.lookingAt() ? scheme.end() : start;
        int end = word;
        while (end < text.length() && !endsWord(end, isLine, name.quotes() >= 0)) {
            end++;
        }
        int bare = end;
        while (bare > start && ";,.)".indexOf(text.charAt(bare - 1)) >= 0) {
            bare--;
        }
        if (EMPTY_VALUES.contains(text.substring(start, bare))) {
            return start;
        }
        hidden.set(word, end);
        return end;
    }

    private boolean endsWord(int at, boolean isLine, boolean isJson) {
        char character = text.charAt(at);
        if (character == '\\') {
            int next = at;
            while (next < text.length() && text.charAt(next) == '\\') {
                next++;
            }
            return next < text.length() && isQuote(text.charAt(next));
        }
        boolean isEnd = isLine ? character == '\n' : Character.isWhitespace(character) || character == '&';
        return isEnd || isQuote(character) || (isJson && ",}]".indexOf(character) >= 0);
    }

    private int backslashesBefore(int end) {
        int start = end;
        while (start > 0 && text.charAt(start - 1) == '\\') {
            start--;
        }
        return end - start;
    }

    private static boolean isQuote(char character) {
        return character == '"' || character == '\'';
    }

    // --- forms

    private void hideForms(Clues clues) {
        if (clues.has(Clues.BEARER)) {
            hideBearers();
        }
        if (clues.has(Clues.WELL_KNOWN)) {
            Matcher known = WELL_KNOWN.matcher(text);
            while (known.find()) {
                hidden.set(known.start(), known.end());
            }
        }
        if (clues.has(Clues.PRIVATE_KEY)) {
            hideKeys();
        }
    }

    private void hideBearers() {
        Matcher bearer = BEARER.matcher(text);
        while (bearer.find()) {
            String token = bearer.group(1);
            // The word alone may be a bearer of something.
            if (token.length() >= 16 || token.chars().anyMatch(Character::isDigit)) {
                hidden.set(bearer.start(1), bearer.end(1));
            }
        }
    }

    private void hideKeys() {
        Matcher key = PRIVATE_KEY.matcher(text);
        for (int from = 0; key.find(from); ) {
            int end = text.indexOf(END_OF_KEY, key.end());
            from = end < 0 ? text.length() : end;
            hidden.set(key.end(), from);
        }
    }
}
