package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of one connection after its two ends know each other: each is numbered from 1 and sealed with a key that only this
 * connection and this direction has, so that a line can be neither made, changed, left out, replayed nor sent back by others.
 */
final class Session {

    /** Stands before the seal, which is the last member of the object and covers all bytes before. */
    private static final byte[] BEFORE_SEAL = ",\"mac\":\"".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] AFTER_SEAL = "\"}\n".getBytes(StandardCharsets.US_ASCII);
    private static final String NUMBER = "n";

    /** Half of the HMAC, as RFC 2104 allows: these lines are short and many. */
    private static final int SEAL_BYTES = 16;

    private static final HexFormat HEX = HexFormat.of();

    private final Hmac sending;
    private final Hmac receiving;
    private long sent;
    private long received;

    Session(Hmac sending, Hmac receiving) {
        this.sending = sending;
        this.receiving = receiving;
    }

    /** A line with its end, ready to be sent; lines must be sent in the order in which they were sealed. */
    byte[] seal(Map<String, Object> content) {
        Map<String, Object> numbered = new LinkedHashMap<>();
        numbered.put(NUMBER, ++sent);
        numbered.putAll(content);
        String object = Json.line(numbered);
        byte[] bytes = object.substring(0, object.length() - 1).getBytes(StandardCharsets.UTF_8);
        byte[] seal = hex(sending.of(bytes));
        byte[] line = Arrays.copyOf(bytes, bytes.length + BEFORE_SEAL.length + seal.length + AFTER_SEAL.length);
        int at = bytes.length;
        for (byte[] part : new byte[][] {BEFORE_SEAL, seal, AFTER_SEAL}) {
            System.arraycopy(part, 0, line, at, part.length);
            at += part.length;
        }
        return line;
    }

    /** What the next line says, without its end; empty: it is not the next line of the other side. */
    Optional<Map<String, Object>> open(byte[] line) {
        int sealed = line.length - BEFORE_SEAL.length - 2 * SEAL_BYTES - AFTER_SEAL.length + 1;
        if (sealed < 0) {
            return Optional.empty();
        }
        int seal = sealed + BEFORE_SEAL.length;
        boolean isWhole = Arrays.equals(line, sealed, seal, BEFORE_SEAL, 0, BEFORE_SEAL.length)
                && line[line.length - 2] == '"'
                && line[line.length - 1] == '}'
                && MessageDigest.isEqual(
                        hex(receiving.of(line, sealed)), Arrays.copyOfRange(line, seal, seal + 2 * SEAL_BYTES));
        if (!isWhole) {
            return Optional.empty();
        }
        byte[] object = Arrays.copyOf(line, sealed + 1);
        object[sealed] = '}';
        return Json.read(object) instanceof JsonReading.Complete complete
                        && complete.content().get(NUMBER) instanceof Long number
                        && number == received + 1
                ? opened(complete.content())
                : Optional.empty();
    }

    private Optional<Map<String, Object>> opened(Map<String, Object> content) {
        received++;
        return Optional.of(content);
    }

    private static byte[] hex(byte[] hmac) {
        return HEX.formatHex(hmac, 0, SEAL_BYTES).getBytes(StandardCharsets.US_ASCII);
    }
}
