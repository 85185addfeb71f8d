package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * The lines of one connection after the handshake. Each is numbered from 1 and signed with a key of this connection and direction. So
 * others can neither forge, change, drop, replay nor return a line.
 */
final class Session {

    /** The text before the signature, which is the last member of the object and covers all members before it. */
    private static final String BEFORE_SEAL = ",\"mac\":\"";

    private static final String AFTER_SEAL = "\"}";
    private static final String NUMBER = "n";
    /** Half of the HMAC, as RFC 2104 allows: lines are short and many. */
    private static final int SEAL_DIGITS = 32;

    private final Mac sending;
    private final Mac receiving;
    private long sent;
    private long received;

    Session(Mac sending, Mac receiving) {
        this.sending = sending;
        this.receiving = receiving;
    }

    /** A signed line with its newline. Lines must be sent in the order in which they were signed. */
    byte[] seal(Map<String, Object> content) {
        Map<String, Object> numbered = new LinkedHashMap<>();
        numbered.put(NUMBER, ++sent);
        numbered.putAll(content);
        String object = Json.line(numbered);
        return (sealed(object.substring(0, object.length() - 1), sending) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The content of a line, without its newline; empty: it is not the next line of the other side. */
    Optional<Map<String, Object>> open(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        int end = text.length() - BEFORE_SEAL.length() - SEAL_DIGITS - AFTER_SEAL.length();
        if (end < 0 || !JobKey.isEqual(sealed(text.substring(0, end), receiving), text)) {
            return Optional.empty();
        }
        if (Json.read(text.substring(0, end) + "}") instanceof JsonReading.Complete complete
                && complete.content().get(NUMBER) instanceof Long number
                && number == received + 1) {
            received++;
            return Optional.of(complete.content());
        }
        return Optional.empty();
    }

    private static String sealed(String open, Mac key) {
        return open + BEFORE_SEAL + JobKey.hex(key, open).substring(0, SEAL_DIGITS) + AFTER_SEAL;
    }
}
