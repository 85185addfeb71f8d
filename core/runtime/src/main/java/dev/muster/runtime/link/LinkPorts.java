package dev.muster.runtime.link;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The default ports of a job's link: three adjacent ports from {@value #FIRST} to {@value #LAST}. They are computed from the job's id, so
 * that all launchers know them. The range avoids the ports of training programs (6666, 8118, 2222, 5000 to 10000, 23456, 29400, 29500,
 * 29501; 10000 to 24999 where computed from a job), Kubernetes' node ports (from 30000) and the ports that Linux gives to clients (from
 * 32768).
 */
public final class LinkPorts {

    static final int FIRST = 25_000;
    static final int LAST = 28_998;

    /** One port to use and two to fall back on. Two jobs share all three ports or none. */
    private static final int EACH = 3;

    private static final int SLOTS = (LAST - FIRST + 1) / EACH;

    /** FNV-1a of 32 bits. */
    private static final int OFFSET = 0x811c9dc5;

    private static final int PRIME = 0x01000193;

    private LinkPorts() {}

    /**
     * The ports of a job, in the order of use: 25000 + 3 * (h mod 1333) and the next two. Here h is the unsigned 32-bit FNV-1a hash of the
     * id in UTF-8. This must never change: launchers of different versions must meet.
     */
    public static List<Integer> of(String jobId) {
        int hash = OFFSET;
        for (byte next : jobId.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (next & 0xFF)) * PRIME;
        }
        int first = FIRST + EACH * Integer.remainderUnsigned(hash, SLOTS);
        return List.of(first, first + 1, first + 2);
    }
}
