package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the secrets in one text: values of secret names, and values of known forms. Its time grows linearly with the text's length,
 * because texts may be large and hostile.
 */
final class SecretText {

    private static final String SCHEME = "(?i:(?:bearer|basic|token|digest|aws4-hmac-sha256)\\s++)?+";

    /** A value: a quoted text, also with escaped quotes; an object or list, hidden to the end of the text; or a word. */
    private static final Pattern VALUE = pattern(
            "(?:[bBuUrRfF]{0,2}(?<open>\\\\*+(?:\"{3}|'{3}|[\"']))(?<s1>.*?)(?=(?<!\\\\)\\k<open>|\\z)|(?<s2>[{\\[].*+)|"
                    + SCHEME + "(?!(?:null|None|[tT]rue|[fF]alse|FILE)(?![^\\s;,.)}\\]\"'\\\\])"
                    + "|Permission denied|No such |(?:Is|Not) a dir)(?<s3>[^\\s\"'&]++))");

    /** In Muster's own messages the origin of a value, such as {@code --link-secret}, stands before a colon. */
    private static final Pattern ASSIGNMENT = pattern(
            "(?<![\\w.-])(?!(?:-|MUSTER_)[\\w.-]*+[ \\t]*+:)"
                    + "(?<name>-{0,2}[A-Za-z_][\\w.-]{0,128}+)(?:\\\\*+[\"']\\]?+)?[ \\t]*+(?:[:+]?=(?![=~>])|:(?![:=]|\\\\?/\\\\?/))\\s*+");

    private static final String OPTION = "(?<![\\w-])(?<name>-{1,2}[A-Za-z][\\w.-]*+)(?:\\\\*+[\"'],\\s*+|\\s++";
    private static final Pattern OPTION_IN_COMMAND = pattern(OPTION + ")(?!\\\\*+[\"']?--[A-Za-z])");
    /** A word after an option in a sentence is seldom its value. */
    private static final Pattern OPTION_IN_SENTENCE = pattern(OPTION + "(?=\\S*\\d))(?!\\\\*+[\"']?--[A-Za-z])");

    /** A form of secrets. The regex runs only if the text has one of the clues: texts are long in a job of thousands of nodes. */
    private record Form(Pattern regex, List<String> clues) {

        Form(String pattern, String... clues) {
            this(pattern(pattern), List.of(clues));
        }

        boolean mayBeIn(String text) {
            return SecretNames.isAnyIn(text, clues);
        }
    }

    private static final List<Form> FORMS = List.of(
            new Form(
                    "(?i:authorization|cookie)\\s*+[:=]\\s*+" + SCHEME + "(?<secret>[^\\s\"'][^\"'\\n]*+)",
                    "uthorization",
                    "ookie",
                    "AUTHORIZATION",
                    "COOKIE"),
            new Form(
                    "(?<![\\w.%+~-])(?!mailto:)[\\w.%+~-]{0,256}+:"
                            + "(?<secret>[^\\s\"'<>`/@]{1,512}+(?:@[^\\s\"'<>`/@:]{0,64}+(?=@))?)@(?!sha256:|sha512:)[\\w\\[]",
                    "@"),
            new Form(":(?:\\\\?/){2}(?<secret>[^\\s\"'<>`/?#:@\\\\]{20,}+)@", "@"),
            new Form("[?&](?:sig|[sS]ignature)=(?<secret>[^\\s\"'<>&]++)", "sig=", "ignature="),
            new Form("\\b(?i:bearer)\\s++(?<secret>(?=[^\\s\\d]*\\d|\\S{16})[\\w.~+/=-]{8,}+)", "earer", "EARER"),
            new Form(
                    "\\b(?<secret>A[KS]IA[0-9A-Z]{16}\\b|gh[pousr]_[A-Za-z0-9]{20,}+|github_pat_\\w{20,}+|hf_[A-Za-z0-9]{30,}+"
                            + "|glpat-[\\w-]{20,}+|xox[abprs]-[\\w-]{10,}+|sk-[\\w-]{20,}+|(?:nvapi|pypi)-[\\w-]{20,}+"
                            + "|(?:hvs|ya29)\\.[\\w-]{20,}+|AIza[\\w-]{30,}+|(?:npm|gsk|dckr_pat|sk_live)_[\\w-]{20,}+"
                            + "|eyJ[\\w-]{10,}+\\.[\\w-]{10,}+\\.[\\w-]*+)",
                    "KIA",
                    "SIA",
                    "gh",
                    "hf_",
                    "glpat-",
                    "hvs.",
                    "ya29.",
                    "xox",
                    "sk-",
                    "nvapi-",
                    "pypi-",
                    "AIza",
                    "npm_",
                    "gsk_",
                    "dckr_pat_",
                    "sk_live_",
                    "eyJ"),
            new Form(
                    "-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:(?!-----END ).)++)",
                    "PRIVATE KEY"));

    private final String text;
    private final BitSet hidden = new BitSet();

    SecretText(String text) {
        this.text = text;
    }

    private static Pattern pattern(String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL);
    }

    /** Hides the text from there to its end. */
    SecretText hideFrom(int start) {
        hidden.set(start, text.length());
        return this;
    }

    /**
     * Hides all secrets that it finds.
     *
     * @param secrets decides which names are secret
     * @param isCommand whether the text is a command, or a part of one
     */
    SecretText hideAll(Secrets secrets, boolean isCommand) {
        if (secrets.mayBeIn(text)) {
            hideValues(ASSIGNMENT, secrets);
            hideValues(isCommand ? OPTION_IN_COMMAND : OPTION_IN_SENTENCE, secrets);
        }
        for (Form form : FORMS) {
            if (form.mayBeIn(text)) {
                hideSecrets(form.regex().matcher(text));
            }
        }
        return this;
    }

    private void hideSecrets(Matcher found) {
        while (found.find()) {
            hidden.set(found.start("secret"), found.end("secret"));
        }
    }

    private void hideValues(Pattern names, Secrets secrets) {
        Matcher name = names.matcher(text);
        Matcher value = VALUE.matcher(text).useTransparentBounds(true);
        int from = 0;
        while (name.find(from)) {
            from = name.end("name");
            if (secrets.isSecret(name.group("name"))
                    && value.region(name.end(), text.length()).lookingAt()) {
                for (String group : List.of("s1", "s2", "s3")) {
                    if (value.start(group) >= 0) {
                        hidden.set(value.start(group), value.end(group));
                        from = value.end(group);
                    }
                }
            }
        }
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
}
