package dev.muster.runtime.text;

/**
 * Which kinds of secrets a text could hold, found in one pass. Most texts can hold none, and may be long: in a job of four thousand
 * nodes each process is told the addresses of all. To search such a text with one pattern after the other takes fifty times as long.
 */
final class Clues {

    /** A name with a value behind it. */
    static final int PAIR = 1;

    static final int URL = 1 << 1;

    /** A character of a URL that is written in hex. */
    static final int ENCODED = 1 << 2;

    static final int SIGNATURE = 1 << 3;
    static final int OPTION = 1 << 4;

    /** An option as an element of a list. */
    static final int LISTED_OPTION = 1 << 5;

    static final int BEARER = 1 << 6;
    static final int WELL_KNOWN = 1 << 7;
    static final int PRIVATE_KEY = 1 << 8;

    private static final String BEARER_WORD = "bearer";

    private final int found;

    private Clues(int found) {
        this.found = found;
    }

    static Clues in(String text) {
        int found = 0;
        char before = ' ';
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            // Digits and dots are most of a long text.
            if (character > '9' || character < '.') {
                found |= at(text, at, character, before);
            }
            before = character;
        }
        return new Clues(found);
    }

    boolean has(int kind) {
        return (found & kind) != 0;
    }

    boolean areNone() {
        return found == 0;
    }

    private static int at(String text, int at, char character, char before) {
        return switch (character) {
            case ':' -> PAIR | (isOneOf("/\\", text, at + 1) ? URL : 0);
            case '=' -> PAIR;
            case '%' -> ENCODED;
            case '-' -> ofDash(text, at, before);
            case 'b', 'B' -> text.regionMatches(true, at, BEARER_WORD, 0, BEARER_WORD.length()) ? BEARER : 0;
            case 's' -> (text.startsWith("sig=", at) ? SIGNATURE : 0) | (text.startsWith("sk-", at) ? WELL_KNOWN : 0);
            case 'A' -> text.startsWith("KIA", at + 1) || text.startsWith("SIA", at + 1) ? WELL_KNOWN : 0;
            case 'g' -> isOneOf("hil", text, at + 1) ? WELL_KNOWN : 0;
            case 'h' -> text.startsWith("hf_", at) ? WELL_KNOWN : 0;
            case 'x' -> text.startsWith("xox", at) ? WELL_KNOWN : 0;
            case 'e' -> text.startsWith("eyJ", at) ? WELL_KNOWN : 0;
            default -> 0;
        };
    }

    private static int ofDash(String text, int at, char before) {
        boolean isInWord = before == '-' || before == '_' || isLetterOrDigit(before);
        return (at == 0 || !isInWord ? OPTION : 0)
                | (before == '"' || before == '\'' ? LISTED_OPTION : 0)
                | (text.startsWith("-----BEGIN ", at) ? PRIVATE_KEY : 0);
    }

    private static boolean isLetterOrDigit(char character) {
        return (character >= '0' && character <= '9')
                || (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z');
    }

    private static boolean isOneOf(String characters, String text, int at) {
        return at < text.length() && characters.indexOf(text.charAt(at)) >= 0;
    }
}
