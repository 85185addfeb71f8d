package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the secrets in one text by what stands around them: the values of secret names in JSON (also in JSON that is a text of
 * JSON), in assignments, headers and queries; passwords of URLs; and what has the form of a well-known token. Takes time that
 * grows with the text's length only, since texts may be large, and hostile.
 */
final class SecretText {

    private static final String SCHEME = "(?i:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\\s++";

    /** A text in quotes, which may have backslashes before them; an object or list, hidden with all that follows. */
    private static final String QUOTED = "(?:[bBuUrRfF]{0,2}(?<open>[\"'])(?<s1>(?:(?!\\k<open>)[^\\\\]|\\\\.)*+)"
            + "|\\\\++(?<deep>[\"'])(?<s2>.*?)(?=(?<!\\\\)\\\\*+\\k<deep>|\\z)|(?<s3>[{\\[].*+)"
            + "|(?!(?:null|None|[tT]rue|[fF]alse|FILE)(?![^\\s;,.)}\\]\"'])|" + SCHEME + ")(?<s4>";

    private static final Pattern VALUE_IN_JSON = pattern(QUOTED + "[^\\s\"'&\\\\,}\\]]++))");
    private static final Pattern VALUE = pattern(QUOTED + "[^\\s\"'&\\\\]++(?:\\\\++[^\\s\"'&\\\\]++)*+))");
    private static final Pattern VALUE_IN_COMMAND = pattern("(?!\\\\*+[\"']?--[A-Za-z])" + QUOTED + "[^\\s\"']++))");
    /** What stands behind an option in a sentence is a word, mostly. */
    private static final Pattern VALUE_IN_SENTENCE =
            pattern("(?!(?:[a-z]++[,.;:]?|[A-Z]++[,.;:)\\]]?)(?!\\S))" + VALUE_IN_COMMAND.pattern());

    private static final Pattern KEY =
            pattern("(?<quote>\\\\*+[\"'])(?<name>[\\w. -]{1,128}+)\\k<quote>\\s*+[:=]\\s*+");

    /** In messages of ours the origin of a value, such as {@code --link-secret}, stands before a colon. */
    private static final Pattern ASSIGNMENT = pattern("(?<![\\w.-])(?!(?:-|MUSTER_)[\\w.-]*+[ \\t]*+:)"
            + "(?<name>-{0,2}[A-Za-z_][\\w.-]{0,128}+)[ \\t]*+(?:[:+]?=(?![=~>])|:(?![:=]|\\\\?/\\\\?/))[ \\t]*+");

    private static final Pattern OPTION = pattern("(?<![\\w-])(?<name>-{1,2}[A-Za-z][\\w.-]*+)\\s++");
    private static final Pattern LISTED =
            pattern("(?<quote>\\\\*+[\"'])(?<name>-{1,2}[A-Za-z][\\w.-]*+)\\k<quote>,\\s*+");

    /** A form that a secret has. The clue must be there. */
    private record Form(String clue, Pattern pattern) {}

    private static final List<Form> FORMS = List.of(
            form(":", "(?i:authorization|cookie)\\s*+[:=]\\s*+(?:" + SCHEME + ")?(?<secret>[^\\s\"'][^\"'\\n]*+)"),
            form(
                    "@",
                    ":(?:\\\\?/){2}[^\\s\"'<>`/?#:@\\\\]*+:(?<secret>[^\\s\"'<>`/?#\\\\]*(?=@)"
                            + "|(?!\\d{1,5}[/?#,])[^\\s\"'<>`]{0,256}?(?=@))"),
            form("@", ":(?:\\\\?/){2}(?<secret>[^\\s\"'<>`/?#:@\\\\]{20,}+)@"),
            form(
                    "@",
                    "(?<![\\w/@\\\\:.%+~-])(?!mailto:)[\\w.%+~-]{1,256}+:"
                            + "(?<secret>[^\\s\"'<>`/@=,;({\\[\\\\]{1,256}+)@(?!sha256:|sha512:)[\\w\\[]"),
            form(
                    "%40",
                    "(?i)%3a%2f%2f(?:(?!%40|%3a|%2f)[^\\s\"'<>&]){0,256}+%3a(?<secret>(?:(?!%40)[^\\s\"'<>&]){1,256}+)%40"),
            form("sig=", "[?&]sig=(?<secret>[^\\s\"'<>&]++)"),
            form("earer", "\\b[bB]earer\\s++(?<secret>(?=[^\\s\\d]*\\d|\\S{16})[\\w.~+/=-]{8,}+)"),
            form("KIA", "\\b(?<secret>AKIA[0-9A-Z]{16})\\b"),
            form("SIA", "\\b(?<secret>ASIA[0-9A-Z]{16})\\b"),
            form("gh", "\\b(?<secret>gh[pousr]_[A-Za-z0-9]{20,}+)"),
            form("github_pat_", "\\b(?<secret>github_pat_\\w{20,}+)"),
            form("hf_", "\\b(?<secret>hf_[A-Za-z0-9]{30,}+)"),
            form("glpat-", "\\b(?<secret>glpat-[\\w-]{20,}+)"),
            form("xox", "\\b(?<secret>xox[abprs]-[\\w-]{10,}+)"),
            form("sk-", "\\b(?<secret>sk-[\\w-]{20,}+)"),
            form("eyJ", "\\b(?<secret>eyJ[\\w-]{10,}+\\.[\\w-]{10,}+\\.[\\w-]*+)"),
            form("PRIVATE KEY-----", "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?<secret>(?:(?!-----END ).)++)"));

    private final String text;
    private final Secrets secrets;
    private final BitSet hidden = new BitSet();

    private SecretText(String text, Secrets secrets) {
        this.text = text;
        this.secrets = secrets;
    }

    private static Form form(String clue, String pattern) {
        return new Form(clue, pattern(pattern));
    }

    private static Pattern pattern(String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL);
    }

    /**
     * A text and its secrets.
     *
     * @param secrets knows whose names are those of secrets
     * @param isCommand whether the text is a command, or a part of one
     */
    static SecretText of(String text, Secrets secrets, boolean isCommand) {
        SecretText found = new SecretText(text, secrets);
        // Most texts have none, and may be long: in a job of thousands of nodes each process is told the addresses of
        // all.
        if (secrets.mayBeIn(text)) {
            found.hideValues(KEY, VALUE_IN_JSON);
            found.hideValues(ASSIGNMENT, VALUE);
            found.hideValues(OPTION, isCommand ? VALUE_IN_COMMAND : VALUE_IN_SENTENCE);
            found.hideValues(LISTED, VALUE_IN_COMMAND);
        }
        for (Form form : FORMS) {
            if (text.contains(form.clue())) {
                found.hide(form.pattern().matcher(text));
            }
        }
        return found;
    }

    /** The text with a mask for each secret. */
    String masked() {
        StringBuilder masked = new StringBuilder();
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

    private void hide(Matcher form) {
        while (form.find()) {
            hidden.set(form.start("secret"), form.end("secret"));
        }
    }

    private void hideValues(Pattern names, Pattern values) {
        Matcher name = names.matcher(text);
        Matcher value = values.matcher(text).useTransparentBounds(true);
        int from = 0;
        while (name.find(from)) {
            from = name.end("name");
            if (secrets.isSecret(name.group("name"))
                    && value.region(name.end(), text.length()).lookingAt()) {
                for (String group : List.of("s1", "s2", "s3", "s4")) {
                    if (value.start(group) >= 0) {
                        hidden.set(value.start(group), value.end(group));
                        from = value.end(group);
                    }
                }
            }
        }
    }
}
