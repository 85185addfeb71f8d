package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a member gets the key from its leader where munge tells whose a message is: before its hello it sends the same words with a
 * credential instead of a signature, and gets the key in another one, made for this question alone.
 *
 * @param member who asks
 * @param credential what shows whose it is
 */
record KeyQuestion(Hello member, String credential) {

    private static final String CREDENTIAL = "credential";
    private static final Pattern FORM = Pattern.compile("MUNGE:[0-9a-zA-Z+/=]{1,1400}:");
    private static final Pattern SECRET = Pattern.compile("[0-9a-f]{64}");

    /** What the member's credential holds. */
    static String question(Hello member) {
        return "muster-link-question " + JobKey.fingerprint("muster link, question for the key", member);
    }

    /** What the leader's credential holds. */
    static String answer(Hello member, String secret) {
        return "muster-link-answer " + JobKey.fingerprint("muster link, answer with the key", member) + " " + secret;
    }

    /** The secret in a leader's answer; empty: it does not answer this member's question. */
    static Optional<String> secretIn(String answer, Hello member) {
        String before = answer(member, "");
        return answer.startsWith(before)
                ? Optional.of(answer.substring(before.length()))
                        .filter(secret -> SECRET.matcher(secret).matches())
                : Optional.empty();
    }

    String line() {
        return member.line(Map.of(CREDENTIAL, credential));
    }

    static String answerLine(String credential) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(Hello.MARK, Hello.VERSION);
        line.put(CREDENTIAL, credential);
        return Json.line(line);
    }

    /** Reads a first line; empty: it is no question. */
    static Optional<KeyQuestion> read(byte[] line) {
        return credentialIn(line)
                .flatMap(credential -> Hello.read(line).map(read -> new KeyQuestion(read.hello(), credential)));
    }

    /** The credential in a line; empty: there is none. */
    static Optional<String> credentialIn(byte[] line) {
        return Json.read(line) instanceof JsonReading.Complete complete
                        && complete.content().get(CREDENTIAL) instanceof String text
                        && FORM.matcher(text).matches()
                ? Optional.of(text)
                : Optional.empty();
    }
}
