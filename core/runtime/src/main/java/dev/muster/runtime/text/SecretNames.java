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
    private static final List<String> SIGNS = List.of(
            "SECRET",
            "PASS",
            "PW",
            "CRED",
            "KEY",
            "TOKEN",
            "AUTH",
            "S3_",
            "SCC",
            "AK",
            "SK",
            "BEARER",
            "COOKIE",
            "JWT",
            "SIGNATURE");

    /** What the object storage and the platform of ModelArts give to their jobs. */
    private static final Pattern BEGINNING = Pattern.compile("^(?:S3_|CRED|SCC)");

    /** Whoever says where a secret is, or which one, does not say what it is. */
    private static final Pattern PLACE =
            Pattern.compile("_(?:FILES?|PATH|DIR|DIRECTORY|PY|CC|CPP|SH|JAVA|LOG|KEY_ID)$|^KEY_ID$");

    private static final Pattern ANYWHERE = Pattern.compile("SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY"
            + "|PRIVATE_?KEY|(?:AMZ|GOOG)_?SIGNATURE|(?:^|_)CREDS?(?:_|$)");

    private static final Pattern LAST = Pattern.compile(
            "(?:(?:^|_)(?:AK|SK|AUTHORIZATION|BEARER|COOKIES?|JWT)"
                    + "|(?<!(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION))_KEY|(?:^|_)(?:API|ACCESS|AUTH|SSH)_KEYS"
                    + "|(?:^|_)(?:ACCESS|AUTH|SSH|SIGN|SIGNING|ENCRYPTION|MASTER|SERVICE|ACCOUNT|STORAGE|LICENSE)KEYS?"
                    + "|^_AUTH|^(?:BASIC|REDIS|REGISTRY|DOCKER|HTTP)_AUTH(?:_CONFIG)?"
                    + "|(?:^|_)(?:DB|DATABASE|USER|ADMIN|ROOT|LOGIN|AUTH|E?MAIL|SMTP|IMAP|FTP|SSH|HTTPS?|PROXY|LDAP|MYSQL|PG|POSTGRES"
                    + "|REDIS|MONGO|RABBITMQ|KAFKA|ES|KEY|(?:KEY|TRUST)?STORE|REGISTRY|DOCKER|GIT|MINIO|VAULT)_(?:PASS|PWD|PW))$");

    /** A token that is no piece of text, and not what there is to count of it. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?:TOKEN(?<!(?:^|_)(?:MAX|MIN|NUM|N|PER|EOS|BOS|PAD|UNK|SEP|CLS|MASK|IMAGE|SPECIAL|NEW)_TOKEN)"
                    + "|(?:^|_)(?:API|AUTH|ACCESS|REFRESH|BEARER|SESSION|HF|GITHUB|GITLAB|WANDB|USER)_TOKENS)"
                    + "(?:$|_(?!(?:COUNTS?|LENGTH|LEN|SIZE|NUM|NUMBER|LIMIT|BUDGET|IDS?|TYPE|INDEX|IDX|DIM|EMBEDDINGS?|DROPOUT"
                    + "|CLASSIFICATION|LEVEL|POS|RATE|PER|BATCH|LOSS|FORMAT)(?:_|$)))");

    private static final Pattern HUMP = Pattern.compile("(?<=[\\p{Ll}\\d])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");

    private static final Pattern DASHES = Pattern.compile("^-+");
    private static final Pattern SEPARATOR = Pattern.compile("[^\\p{L}\\d]+");
    private static final Pattern NUMBER = Pattern.compile("_?\\d+(?=_|$)");

    private SecretNames() {}

    /** Whether it is one, as far as the name alone tells. */
    static boolean has(String name) {
        if (!mayBeIn(name)) {
            return false;
        }
        String parts = HUMP.matcher(DASHES.matcher(name).replaceFirst("")).replaceAll("_");
        String words = SEPARATOR.matcher(parts.toUpperCase(Locale.ROOT)).replaceAll("_");
        if (BEGINNING.matcher(words).find()) {
            return true;
        }
        String plain = NUMBER.matcher(words).replaceAll("");
        return !PLACE.matcher(plain).find()
                && (ANYWHERE.matcher(plain).find()
                        || LAST.matcher(plain).find()
                        || TOKEN.matcher(plain).find());
    }

    /** Whether a text can have the name of a secret in it. */
    static boolean mayBeIn(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return SIGNS.stream().anyMatch(upper::contains);
    }
}
