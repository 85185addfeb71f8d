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

/** The key that the launchers of one job share, and all keys derived from it. Not thread-safe. */
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
     * @param secret any bytes; trailing line ends do not count, since editors add them
     */
    static JobKey of(byte[] secret, String jobId) {
        byte[] line = LinkKey.withoutLineEnd(secret);
        // HMAC pads keys with zeros. So this equals the empty key, which Java does not accept.
        byte[] key = line.length == 0 ? new byte[1] : line;
        return new JobKey(derived(mac(key), "muster link, key of a job", List.of(jobId)));
    }

    /** The hash of a job's id, which strangers may see. */
    static String hashOf(String jobId) {
        byte[] digest = Sha256.begin().digest(bytes(text("muster link, name of a job", List.of(jobId))));
        return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    }

    /** Proves that the sender knows the key now: it covers both nonces. */
    String proof(String role, Hello member, Hello leader) {
        return hex(mac, text("muster link, proof of the " + role, both(member, leader)));
    }

    /** The key that signs the lines of one side of one connection. */
    Mac session(String role, Hello member, Hello leader) {
        return derived(mac, "muster link, session of the " + role, both(member, leader));
    }

    /** Compares in constant time. */
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

    /** Unambiguous: each field has its length before it. */
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
