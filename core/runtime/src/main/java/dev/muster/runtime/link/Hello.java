package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The first line of each side of a connection. It has this form in all versions of the protocol, so that two versions can tell each other
 * that they differ.
 *
 * @param version of the protocol
 * @param job the hash of the job's id
 * @param launcher the name of the sender
 * @param run the {@linkplain LinkRun#text text} of the sender's run; new for each start of a launcher
 * @param nonce random, new for each connection
 */
record Hello(long version, String job, String launcher, String run, String nonce) {

    /** The version that this launcher speaks. */
    static final long VERSION = 1;

    /** The roles of the two ends. Every signature covers the role, so that no line can be sent back to its sender. */
    static final String MEMBER = "member";

    static final String LEADER = "leader";

    /** Fields in addition to those of the record. */
    static final String PROOF = "proof";
    /** Why a leader does not say hello. */
    static final String REFUSED = "refused";

    static final String OTHER_JOB = "job";

    private static final String MARK = "muster-link";
    private static final Pattern WORD = Pattern.compile("[0-9a-zA-Z-]{1,200}");

    /** The fields that signatures cover. */
    List<String> fields() {
        return List.of(Long.toString(version), job, launcher, run, nonce);
    }

    /** The line, with more fields. */
    String line(Map<String, String> more) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(MARK, version);
        line.put("job", job);
        line.put("launcher", launcher);
        line.put("run", run);
        line.put("nonce", nonce);
        line.putAll(more);
        return Json.line(line);
    }

    /** A line without a hello. */
    static String bare(String field, String value) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(MARK, VERSION);
        line.put(field, value);
        return Json.line(line);
    }

    /** Reads a first line, which is not verified yet; empty: it is no hello. */
    static Optional<Hello> read(byte[] line) {
        Map<String, Object> content = object(line);
        if (!(content.get(MARK) instanceof Long version) || version < 0) {
            return Optional.empty();
        }
        Hello hello = new Hello(
                version, word(content, "job"), word(content, "launcher"), word(content, "run"), word(content, "nonce"));
        return hello.fields().stream().noneMatch(String::isEmpty) ? Optional.of(hello) : Optional.empty();
    }

    /** Another field of a line; empty if it is missing or invalid. */
    static String field(byte[] line, String name) {
        return word(object(line), name);
    }

    private static Map<String, Object> object(byte[] line) {
        return Json.read(line).object().orElse(Map.of());
    }

    private static String word(Map<String, Object> content, String name) {
        return content.get(name) instanceof String text && WORD.matcher(text).matches() ? text : "";
    }
}
