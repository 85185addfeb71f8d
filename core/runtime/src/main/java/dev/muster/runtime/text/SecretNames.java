package dev.muster.runtime.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells by its name whether something is a secret: a variable, an option, a key of JSON, a header. Names are compared word by
 * word, so that {@code --max-tokens}, {@code tokenizer} and {@code --passthrough} are none; {@code apiKey}, {@code api-key}
 * and {@code API_KEY} are the same.
 */
final class SecretNames {

    /** Without any of these it is none: there may be thousands of variables, and long texts. */
    private static final List<String> SIGNS =
            List.of("SECRET PASS PW CRED KEY TOKEN AUTH S3_ SCC AK SK BEARER COOKIE JWT SIGN".split(" "));

    /** Whoever says where a secret is, or which one, does not say what it is. */
    private static final Pattern PLACE =
            Pattern.compile("_(?:FILES?|PATH|DIR|DIRECTORY|PY|CC|CPP|SH|JAVA|LOG|KEY_ID)$|^KEY_ID$");

    private static final Pattern SECRET =
            Pattern.compile("SECRET|PASSWO?R?D|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY"
                    + "|(?:^|_)(?:CREDS?|AK|SK|AUTHORIZATION|BEARER|COOKIES?|JWT"
                    + "|(?:ACCESS|AUTH|SSH|SIGN|SIGNING|ENCRYPTION|MASTER|SERVICE|ACCOUNT|STORAGE|LICENSE)KEYS?)$"
                    + "|(?<!(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION))_KEY$|_(?:ACCESS|AUTH|SSH)_KEYS$|_SIGNATURE$|_AUTH$"
                    + "|_(?:PASS|PWD|PW)$|^SSHPASS$");

    /** A token that is no piece of text, and not what there is to count of it. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?:TOKEN(?<!(?:^|_)(?:MAX|MIN|NUM|N|PER|EOS|BOS|PAD|UNK|SEP|CLS|MASK|IMAGE|SPECIAL|NEW)_TOKEN)"
                    + "|_?(?:API|AUTH|ACCESS|REFRESH|BEARER|SESSION|USER)_TOKENS)"
                    + "(?:$|_(?!(?:COUNTS?|LENGTH|LEN|SIZE|NUM|LIMIT|BUDGET|IDS?|TYPE|INDEX|DIM|EMBEDDINGS?|DROPOUT"
                    + "|LEVEL|POS|RATE|PER|BATCH|LOSS|FORMAT)(?:_|$)))");

    private static final Pattern HUMP = Pattern.compile("(?<=[\\p{Ll}\\d])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");
    private static final Pattern SEPARATOR = Pattern.compile("[^\\p{L}\\d]+");
    private static final Pattern NUMBER = Pattern.compile("_?\\d+(?=_|$)");

    private SecretNames() {}

    /** Whether it is one, as far as the name alone tells. */
    static boolean has(String name) {
        if (!mayBeIn(name)) {
            return false;
        }
        String parts = HUMP.matcher(name.replaceFirst("^-+", "")).replaceAll("_");
        String words = SEPARATOR.matcher(parts.toUpperCase(Locale.ROOT)).replaceAll("_");
        if (words.startsWith("S3_") || words.startsWith("CRED") || words.startsWith("SCC")) {
            // What the object storage and the platform of ModelArts give to their jobs.
            return true;
        }
        String plain = NUMBER.matcher(words).replaceAll("");
        return !PLACE.matcher(plain).find()
                && (SECRET.matcher(plain).find() || TOKEN.matcher(plain).find());
    }

    /** Whether a text can have the name of a secret in it. */
    static boolean mayBeIn(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return isAnyIn(upper, SIGNS);
    }

    /** There may be thousands of texts: a stream for each takes longer than the looks. */
    static boolean isAnyIn(String text, List<String> parts) {
        for (String part : parts) {
            if (text.contains(part)) {
                return true;
            }
        }
        return false;
    }
}
