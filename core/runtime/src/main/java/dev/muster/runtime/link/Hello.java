package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who opens a connection, or answers one. Its line has this form in all versions of the protocol, so that two versions can
 * tell each other that they do not fit.
 *
 * @param version of the protocol
 * @param job the hash of the job's id
 * @param launcher the name of the launcher that speaks
 * @param run made anew whenever a launcher starts
 * @param nonce made anew for each connection
 */
record Hello(long version, String job, String launcher, String run, String nonce) {

    /** What this launcher speaks. */
    static final long VERSION = 1;

    static final String MARK = "muster-link";
    private static final String PROOF = "proof";
    private static final Pattern WORD = Pattern.compile("[0-9a-zA-Z-]{1,200}");

    /** A first line as it came: nothing of it is known to be true. */
    record Signed(Hello hello, String signature) {}

    /** Why a leader does not say hello, as the line has it. */
    enum Refusal {
        /** It leads another job. */
        JOB,
        /** The signature was made with another key. */
        KEY,
        /** The same, and it gives its key to who has its user's credentials. */
        CREDENTIAL;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is signed. */
    List<String> fields() {
        return List.of(Long.toString(version), job, launcher, run, nonce);
    }

    String line(String signature) {
        return line(Map.of("mac", signature));
    }

    /** With something else than a signature. */
    String line(Map<String, String> more) {
        Map<String, Object> line = content();
        line.putAll(more);
        return Json.line(line);
    }

    /** With a proof, for who need not be asked for one. */
    String line(String signature, String proof) {
        Map<String, Object> line = content();
        line.put("mac", signature);
        line.put(PROOF, proof);
        return Json.line(line);
    }

    private Map<String, Object> content() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(MARK, version);
        line.put("job", job);
        line.put("launcher", launcher);
        line.put("run", run);
        line.put("nonce", nonce);
        return line;
    }

    /** The line that is nothing but a proof. */
    static String proofLine(String proof) {
        return Json.line(Map.of(PROOF, proof));
    }

    /** What a line says to prove that its sender knows the key; empty: it proves nothing. */
    static String proofIn(byte[] line) {
        return word(object(line), PROOF);
    }

    static String refusal(Refusal why) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(MARK, VERSION);
        line.put("refused", why.word());
        return Json.line(line);
    }

    /** Reads a first line; empty: it is none. */
    static Optional<Signed> read(byte[] line) {
        Map<String, Object> content = object(line);
        if (!(content.get(MARK) instanceof Long version) || version < 0) {
            return Optional.empty();
        }
        Hello hello = new Hello(
                version, word(content, "job"), word(content, "launcher"), word(content, "run"), word(content, "nonce"));
        boolean isWhole = hello.fields().stream().noneMatch(String::isEmpty);
        return isWhole ? Optional.of(new Signed(hello, word(content, "mac"))) : Optional.empty();
    }

    /** Reads a leader's refusal; empty: it is none. */
    static Optional<Refusal> readRefusal(byte[] line) {
        Map<String, Object> content = object(line);
        if (!(content.get(MARK) instanceof Long)) {
            return Optional.empty();
        }
        Object word = content.getOrDefault("refused", "");
        return List.of(Refusal.values()).stream()
                .filter(refusal -> refusal.word().equals(word))
                .findFirst();
    }

    private static Map<String, Object> object(byte[] line) {
        return Json.read(line) instanceof JsonReading.Complete complete ? complete.content() : Map.of();
    }

    private static String word(Map<String, Object> content, String name) {
        return content.get(name) instanceof String text && WORD.matcher(text).matches() ? text : "";
    }
}
