package dev.muster.runtime.text;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the passwords in the URLs of a text: {@code scheme://user:password@host}, also without user or scheme. */
final class UrlSecrets {

    /** Nobody's name is so long: a token in place of a name. */
    private static final int LONGEST_USER = 20;

    private static final int LONGEST_LOGIN = 256;

    /** In JSON a slash may have a backslash. */
    static final Pattern SCHEME_END = Pattern.compile(":(?:\\\\?/){2}");

    private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}(?:[/?#,]|$)");

    static final Pattern ENCODED = Pattern.compile(
            "(?i)%3a%2f%2f((?:(?!%40|%3a|%2f)[^\\s\"'<>&]){0,256}+)%3a((?:(?!%40)[^\\s\"'<>&]){1,256}+)%40");

    /** What Azure signs its URLs with. */
    static final Pattern SIGNATURE = Pattern.compile("[?&]sig=([^\\s\"'<>&]++)");

    private static final Pattern USER = Pattern.compile("[\\w.%+~-]++");

    private final String text;
    private final BitSet hidden;

    /** @param hidden which characters are secret; more are added */
    UrlSecrets(String text, BitSet hidden) {
        this.text = text;
        this.hidden = hidden;
    }

    void hide(Clues clues) {
        if (clues.has(Clues.URL)) {
            hideLoginsWithScheme();
        }
        if (clues.has(Clues.PAIR)) {
            hideLoginsWithoutScheme();
        }
        if (clues.has(Clues.ENCODED)) {
            hideGroup(ENCODED.matcher(text), 2);
        }
        if (clues.has(Clues.SIGNATURE)) {
            hideGroup(SIGNATURE.matcher(text), 1);
        }
    }

    private void hideLoginsWithScheme() {
        Matcher scheme = SCHEME_END.matcher(text);
        boolean found = scheme.find();
        while (found) {
            int start = scheme.end();
            found = scheme.find();
            hideLogin(start, endOfRun(start, found ? scheme.start() : text.length()));
        }
    }

    private void hideGroup(Matcher matcher, int group) {
        while (matcher.find()) {
            hidden.set(matcher.start(group), matcher.end(group));
        }
    }

    private int endOfRun(int start, int limit) {
        int end = start;
        while (end < limit && !isOutside(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isOutside(char character) {
        return Character.isWhitespace(character) || "\"'<>`".indexOf(character) >= 0;
    }

    /** @param end of what can belong to the URL that has its authority at the start */
    private void hideLogin(int start, int end) {
        String url = text.substring(start, end);
        int authority = 0;
        while (authority < url.length() && "/?#\\".indexOf(url.charAt(authority)) < 0) {
            authority++;
        }
        int colon = url.indexOf(':');
        int at = url.lastIndexOf('@', authority);
        if (at < 0
                && colon >= 0
                && colon < authority
                && !PORT.matcher(url).region(colon, url.length()).lookingAt()) {
            // Somebody has not encoded the slash of a password.
            at = url.lastIndexOf('@');
        }
        if (at > colon && colon >= 0) {
            hidden.set(start + colon + 1, start + at);
        } else if (at >= LONGEST_USER) {
            hidden.set(start, start + at);
        }
    }

    private void hideLoginsWithoutScheme() {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            int start = at;
            while (start > 0 && at - start < LONGEST_LOGIN && !endsLogin(text.charAt(start - 1))) {
                start--;
            }
            int colon = text.indexOf(':', start);
            boolean isInPath = start > 0 && "/@\\".indexOf(text.charAt(start - 1)) >= 0;
            if (!isInPath
                    && colon > start
                    && colon + 1 < at
                    && isHost(at + 1)
                    && isUser(text.substring(start, colon))) {
                hidden.set(colon + 1, at);
            }
        }
    }

    private static boolean endsLogin(char character) {
        return isOutside(character) || "/@\\=,;({[".indexOf(character) >= 0;
    }

    private static boolean isUser(String word) {
        return USER.matcher(word).matches() && !word.equalsIgnoreCase("mailto");
    }

    /** Digests of images stand behind such a sign, too. */
    private boolean isHost(int start) {
        return start < text.length()
                && (Character.isLetterOrDigit(text.charAt(start)) || text.charAt(start) == '[')
                && !text.startsWith("sha256:", start)
                && !text.startsWith("sha512:", start);
    }
}
