package dev.muster.runtime.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells by its name whether something is a secret: a variable, an option, a key of JSON, a header. Names are compared word by
 * word, so that {@code --max-tokens}, {@code tokenizer} and {@code --passthrough} are none; {@code apiKey}, {@code api-key}
 * and {@code API_KEY} are the same.
 */
final class SecretNames {

    /** Secret wherever they stand, within a word too. */
    private static final List<String> ANYWHERE = List.of(
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "PASSPHRASE",
            "CREDENTIAL",
            "APIKEY",
            "PRIVATEKEY",
            "AMZSIGNATURE",
            "GOOGSIGNATURE");

    /** What the object storage and the platform of ModelArts give to their jobs, whatever it is about. */
    private static final List<String> BEGINNINGS = List.of("S3_", "CRED", "SCC");

    private static final Set<String> WORDS = Set.of("CRED", "CREDS");

    /** Secret at the end of a name: access and secret keys of object storage, and what headers are called. */
    private static final Set<String> LAST_WORDS =
            Set.of("AK", "SK", "AUTHORIZATION", "BEARER", "COOKIE", "COOKIES", "JWT");

    /** Whoever says where a secret is does not say what it is. */
    private static final Set<String> PLACES =
            Set.of("FILE", "FILES", "PATH", "DIR", "DIRECTORY", "PY", "CC", "CPP", "SH", "JAVA", "LOG");

    /** What stands before a token that is a piece of text. */
    private static final Set<String> PIECES = Set.of(
            "MAX", "MIN", "NUM", "N", "PER", "EOS", "BOS", "PAD", "UNK", "SEP", "CLS", "MASK", "IMAGE", "SPECIAL",
            "NEW");

    /** What stands after it. */
    private static final Set<String> MEASURES = Set.of(
            "COUNT",
            "COUNTS",
            "LENGTH",
            "LEN",
            "SIZE",
            "NUM",
            "NUMBER",
            "LIMIT",
            "BUDGET",
            "ID",
            "IDS",
            "TYPE",
            "INDEX",
            "IDX",
            "DIM",
            "EMBEDDING",
            "EMBEDDINGS",
            "DROPOUT",
            "CLASSIFICATION",
            "LEVEL",
            "POS",
            "RATE",
            "PER",
            "BATCH",
            "LOSS",
            "FORMAT");

    /** Whose tokens, in the plural, are no pieces of text. */
    private static final Set<String> OWNERS =
            Set.of("API", "AUTH", "ACCESS", "REFRESH", "BEARER", "SESSION", "HF", "GITHUB", "GITLAB", "WANDB", "USER");

    /** Whose keys are none of a lock. */
    private static final Set<String> ORDINARY_KEYS = Set.of("PUBLIC", "PRIMARY", "FOREIGN", "SORT", "PARTITION");

    /** Where a short word for a password stands behind. */
    private static final Set<String> DOORS = Set.of(
            "DB",
            "DATABASE",
            "USER",
            "ADMIN",
            "ROOT",
            "LOGIN",
            "AUTH",
            "MAIL",
            "EMAIL",
            "SMTP",
            "IMAP",
            "FTP",
            "SSH",
            "HTTP",
            "HTTPS",
            "PROXY",
            "LDAP",
            "MYSQL",
            "PG",
            "POSTGRES",
            "REDIS",
            "MONGO",
            "RABBITMQ",
            "KAFKA",
            "ES",
            "KEY",
            "STORE",
            "KEYSTORE",
            "TRUSTSTORE",
            "REGISTRY",
            "DOCKER",
            "GIT",
            "MINIO",
            "VAULT");

    private static final Set<String> SHORT_PASSWORDS = Set.of("PASS", "PWD", "PW");

    private static final Pattern KEY_IN_ONE_WORD =
            Pattern.compile("(ACCESS|AUTH|SSH|SIGN|SIGNING|ENCRYPTION|MASTER|SERVICE|ACCOUNT|STORAGE|LICENSE)KEYS?");

    private static final Pattern AUTH = Pattern.compile("_AUTH|(BASIC|REDIS|REGISTRY|DOCKER|HTTP)_AUTH(_CONFIG)?");

    /** Without any of these it is none: there may be thousands of variables. */
    private static final List<String> SIGNS = List.of(
            "SECRET",
            "PASS",
            "PWD",
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

    private static final Pattern SIGN = Pattern.compile(String.join("|", SIGNS), Pattern.CASE_INSENSITIVE);

    private static final int ASCII = 128;

    /** Which pairs of characters signs begin with, at the place of {@link #pair}. */
    private static final boolean[] FIRST_PAIRS = firstPairs();

    private SecretNames() {}

    /** Whether it is one, as far as the name alone tells. */
    static boolean has(String name) {
        return hasLetter(name) && mayHaveSign(name) && SIGN.matcher(name).find() && hasWords(name);
    }

    /** Whether a pair of characters is there with which a sign begins: most names have none, and the pattern looks longer. */
    private static boolean mayHaveSign(String name) {
        for (int at = 0; at + 1 < name.length(); at++) {
            char first = name.charAt(at);
            char second = name.charAt(at + 1);
            if ((first | second) < ASCII && FIRST_PAIRS[pair(first, second)]) {
                return true;
            }
        }
        return false;
    }

    private static boolean[] firstPairs() {
        boolean[] pairs = new boolean[ASCII * ASCII];
        SIGNS.forEach(sign -> pairs[pair(sign.charAt(0), sign.charAt(1))] = true);
        return pairs;
    }

    /** The same for capitals and small letters; digits stay. */
    private static int pair(char first, char second) {
        return (first | 0x20) * ASCII + (second | 0x20);
    }

    /** In a list of addresses each is a name that a port follows. */
    private static boolean hasLetter(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (name.charAt(at) > '9') {
                return true;
            }
        }
        return false;
    }

    private static boolean hasWords(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (BEGINNINGS.stream().anyMatch(upper::startsWith)) {
            return true;
        }
        List<String> words = words(name);
        if (words.isEmpty() || isAboutAnother(words)) {
            return false;
        }
        String squeezed = String.join("", words);
        return ANYWHERE.stream().anyMatch(squeezed::contains)
                || words.stream().anyMatch(WORDS::contains)
                || LAST_WORDS.contains(words.get(words.size() - 1))
                || AUTH.matcher(upper).matches()
                || isKey(name, words)
                || isShortPassword(words)
                || hasToken(words);
    }

    private static boolean isAboutAnother(List<String> words) {
        int last = words.size() - 1;
        return last > 0
                && (PLACES.contains(words.get(last))
                        || (words.get(last).equals("ID") && words.get(last - 1).equals("KEY")));
    }

    /** {@code apiKey} has two words, {@code APIKey} too. */
    private static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int at = 0; at <= name.length(); at++) {
            boolean isEnd = at == name.length() || !Character.isLetterOrDigit(name.charAt(at));
            if (isEnd || (at > start && isHump(name, at))) {
                if (at > start) {
                    words.add(withoutNumber(name.substring(start, at).toUpperCase(Locale.ROOT)));
                }
                start = isEnd ? at + 1 : at;
            }
        }
        words.removeIf(String::isEmpty);
        return words;
    }

    private static boolean isHump(String name, int at) {
        boolean beginsUpper = Character.isUpperCase(name.charAt(at));
        boolean endsLower = Character.isLowerCase(name.charAt(at - 1));
        boolean goesOnLower = at + 1 < name.length() && Character.isLowerCase(name.charAt(at + 1));
        return beginsUpper && (endsLower || (Character.isUpperCase(name.charAt(at - 1)) && goesOnLower));
    }

    private static String withoutNumber(String word) {
        int end = word.length();
        while (end > 0 && Character.isDigit(word.charAt(end - 1))) {
            end--;
        }
        return word.substring(0, end);
    }

    private static boolean isKey(String name, List<String> words) {
        int last = words.size() - 1;
        String word = words.get(last);
        if (KEY_IN_ONE_WORD.matcher(word).matches()) {
            return true;
        }
        if (last == 0) {
            return name.equalsIgnoreCase("_KEY");
        }
        String before = words.get(last - 1);
        return word.equals("KEY")
                ? !ORDINARY_KEYS.contains(before)
                : word.equals("KEYS") && Set.of("API", "ACCESS", "AUTH", "SSH").contains(before);
    }

    private static boolean isShortPassword(List<String> words) {
        int last = words.size() - 1;
        return last > 0 && SHORT_PASSWORDS.contains(words.get(last)) && DOORS.contains(words.get(last - 1));
    }

    private static boolean hasToken(List<String> words) {
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            String before = at == 0 ? "" : words.get(at - 1);
            String after = at + 1 == words.size() ? "" : words.get(at + 1);
            if (word.equals("TOKENS") ? OWNERS.contains(before) : isToken(word, before)) {
                return !MEASURES.contains(after);
            }
        }
        return false;
    }

    private static boolean isToken(String word, String before) {
        return word.endsWith("TOKEN") && !PIECES.contains(before);
    }
}
