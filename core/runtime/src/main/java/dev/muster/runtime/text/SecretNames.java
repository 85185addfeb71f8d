package dev.muster.runtime.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decides by the name whether a variable, an option, a JSON key or a header is secret. Names are compared word by word. So
 * {@code --max-tokens}, {@code tokenizer} and {@code --passthrough} are not secret. {@code apiKey}, {@code api-key} and {@code API_KEY}
 * are the same.
 */
final class SecretNames {

    /** A secret name has one of these. This quick check comes first, because variables are many and texts long. */
    private static final List<String> SIGNS =
            List.of("SECRET PASS PW CRED KEY TOKEN AUTH S3_ SCC AK SK BEARER COOKIE JWT SIGN".split(" "));

    /** Names that tell the place or the id of a secret, not its value. */
    private static final Pattern PLACE =
            Pattern.compile("_(?:FILES?|PATH|DIR|DIRECTORY|PY|CC|CPP|SH|JAVA|LOG|KEY_ID)$|^KEY_ID$");

    private static final Pattern SECRET =
            Pattern.compile("SECRET|PASSWO?R?D|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY"
                    + "|(?:^|_)(?:CREDS?|AK|SK|AUTHORIZATION|BEARER|COOKIES?|JWT"
                    + "|(?:ACCESS|AUTH|SSH|SIGN|SIGNING|ENCRYPTION|MASTER|SERVICE|ACCOUNT|STORAGE|LICENSE)KEYS?)$"
                    + "|(?<!(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION))_KEY$|_(?:ACCESS|AUTH|SSH)_KEYS$|_SIGNATURE$|_AUTH$"
                    + "|_(?:PASS|PWD|PW)$|^SSHPASS$");

    /** A token in the sense of a secret: not a piece of text, and not a count or size of tokens. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?:TOKEN(?<!(?:^|_)(?:MAX|MIN|NUM|N|PER|EOS|BOS|PAD|UNK|SEP|CLS|MASK|IMAGE|SPECIAL|NEW)_TOKEN)"
                    + "|_?(?:API|AUTH|ACCESS|REFRESH|BEARER|SESSION|USER)_TOKENS)"
                    + "(?:$|_(?!(?:COUNTS?|LENGTH|LEN|SIZE|NUM|LIMIT|BUDGET|IDS?|TYPE|INDEX|DIM|EMBEDDINGS?|DROPOUT"
                    + "|LEVEL|POS|RATE|PER|BATCH|LOSS|FORMAT)(?:_|$)))");

    private static final Pattern HUMP = Pattern.compile("(?<=[\\p{Ll}\\d])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");
    private static final Pattern SEPARATOR = Pattern.compile("[^\\p{L}\\d]+");
    private static final Pattern NUMBER = Pattern.compile("_?\\d+(?=_|$)");

    private SecretNames() {}

    /** Whether the name is that of a secret. */
    static boolean has(String name) {
        if (!mayBeIn(name)) {
            return false;
        }
        String parts = HUMP.matcher(name.replaceFirst("^-+", "")).replaceAll("_");
        String words = SEPARATOR.matcher(parts.toUpperCase(Locale.ROOT)).replaceAll("_");
        if (words.startsWith("S3_") || words.startsWith("CRED") || words.startsWith("SCC")) {
            // Credentials that ModelArts and its object storage give to jobs.
            return true;
        }
        String plain = NUMBER.matcher(words).replaceAll("");
        return !PLACE.matcher(plain).find()
                && (SECRET.matcher(plain).find() || TOKEN.matcher(plain).find());
    }

    /** Whether a text may contain the name of a secret. */
    static boolean mayBeIn(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return isAnyIn(upper, SIGNS);
    }

    /** A loop, because there may be thousands of texts, and a stream for each is slower than the search. */
    static boolean isAnyIn(String text, List<String> parts) {
        for (String part : parts) {
            if (text.contains(part)) {
                return true;
            }
        }
        return false;
    }
}
