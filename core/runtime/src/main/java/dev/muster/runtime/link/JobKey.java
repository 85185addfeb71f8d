package dev.muster.runtime.link;

import dev.muster.runtime.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key that the launchers of one job share, and all that is derived from it. One thread at a time. */
final class JobKey {

    private static final int HASH_BYTES = 16;
    private static final String HMAC = "HmacSHA256";

    private final Mac mac;

    private JobKey(Mac mac) {
        this.mac = mac;
    }

    /**
     * The key of a job.
     *
     * @param secret any bytes; line ends after the last other byte do not count, since editors add them
     */
    static JobKey of(byte[] secret, String jobId) {
        byte[] line = LinkKey.withoutLineEnd(secret);
        // HMAC fills keys up with zeros, so this is the key of no bytes, which Java does not take.
        byte[] key = line.length == 0 ? new byte[1] : line;
        return new JobKey(derived(mac(key), "muster link, key of a job", List.of(jobId)));
    }

    /** What strangers may see of a job's id. */
    static String hashOf(String jobId) {
        byte[] digest = Sha256.begin().digest(bytes(text("muster link, name of a job", List.of(jobId))));
        return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    }

    /** Shows that the sender knows the key now: both nonces are in it. */
    String proof(String role, Hello member, Hello leader) {
        return hex(mac, text("muster link, proof of the " + role, both(member, leader)));
    }

    /** For the lines that one side sends in one connection. */
    Mac session(String role, Hello member, Hello leader) {
        return derived(mac, "muster link, session of the " + role, both(member, leader));
    }

    /** Takes as long for a wrong one as for the right one. */
    static boolean isEqual(String expected, String given) {
        return MessageDigest.isEqual(bytes(expected), bytes(given));
    }

    static String hex(Mac key, String text) {
        return HexFormat.of().formatHex(key.doFinal(bytes(text)));
    }

    private static Mac derived(Mac from, String label, List<String> fields) {
        return mac(from.doFinal(bytes(text(label, fields))));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac made = Mac.getInstance(HMAC);
            made.init(new SecretKeySpec(key, HMAC));
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    private static List<String> both(Hello member, Hello leader) {
        return Stream.concat(member.fields().stream(), leader.fields().stream()).toList();
    }

    /** Unambiguous: each field with its length before it. */
    private static String text(String label, List<String> fields) {
        StringBuilder text = new StringBuilder(label).append('\n');
        for (String field : fields) {
            text.append(field.length()).append(':').append(field).append('\n');
        }
        return text.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
