package dev.muster.runtime.link;

import dev.muster.runtime.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The key that the launchers of one job share, and all that is derived from it. One thread only. */
final class JobKey {

    private static final int HASH_BYTES = 16;

    private final Hmac hmac;

    private JobKey(Hmac hmac) {
        this.hmac = hmac;
    }

    /**
     * The key of a job.
     *
     * @param secret any bytes; line ends after the last other byte do not count, since editors add them
     */
    static JobKey of(byte[] secret, String jobId) {
        int length = secret.length;
        while (length > 0 && (secret[length - 1] == '\n' || secret[length - 1] == '\r')) {
            length--;
        }
        Hmac ofSecret = new Hmac(Arrays.copyOf(secret, length));
        return new JobKey(new Hmac(ofSecret.of(text("muster link, key of a job", List.of(jobId)))));
    }

    /** What strangers may see of a job's id. */
    static String hashOf(String jobId) {
        byte[] digest = Sha256.begin().digest(text("muster link, name of a job", List.of(jobId)));
        return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    }

    /** Stands for a launcher's first line where no key is known yet. */
    static String fingerprint(String label, Hello hello) {
        return HexFormat.of().formatHex(Sha256.begin().digest(text(label, hello.fields())));
    }

    /** What a first line is signed with. */
    String signature(Role sender, Hello hello) {
        return hex(text("muster link, hello of the " + sender.word(), hello.fields()));
    }

    /** Shows that the sender knows the key now: both nonces are in it. */
    String proof(Role sender, Hello member, Hello leader) {
        return hex(text("muster link, proof of the " + sender.word(), both(member, leader)));
    }

    /** Lets texts be compared without being told. */
    String digest(String text) {
        return hex(text("muster link, something to compare", List.of(text)));
    }

    /** For the lines that one side sends in one connection. */
    Hmac session(Role sender, Hello member, Hello leader) {
        return new Hmac(hmac.of(text("muster link, session of the " + sender.word(), both(member, leader))));
    }

    /** Takes as long for a wrong one as for the right one. */
    static boolean isEqual(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private String hex(byte[] text) {
        return HexFormat.of().formatHex(hmac.of(text));
    }

    private static List<String> both(Hello member, Hello leader) {
        return Stream.concat(member.fields().stream(), leader.fields().stream()).toList();
    }

    /** Unambiguous: each field with its length before it. */
    private static byte[] text(String label, List<String> fields) {
        StringBuilder text = new StringBuilder(label).append('\n');
        for (String field : fields) {
            text.append(field.length()).append(':').append(field).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
