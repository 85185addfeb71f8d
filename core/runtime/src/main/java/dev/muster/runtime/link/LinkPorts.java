package dev.muster.runtime.link;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The ports of a job's link where nobody gives others: three neighbours from {@value #FIRST} to {@value #LAST}, computed from
 * the job's id, so that all launchers know them. The range holds none of the ports at which training programs meet (6666,
 * 8118, 2222, 5000 to 10000, 23456, 29400, 29500, 29501; 10000 to 24999 where they are computed from a job), none of
 * Kubernetes' node ports (from 30000) and none that Linux gives to clients (from 32768).
 */
public final class LinkPorts {

    static final int FIRST = 25_000;
    static final int LAST = 28_998;

    /** One to use, and two to fall back on. Jobs of one machine have all three in common or none. */
    private static final int EACH = 3;

    private static final int SLOTS = (LAST - FIRST + 1) / EACH;

    /** FNV-1a of 32 bits. */
    private static final int OFFSET = 0x811c9dc5;

    private static final int PRIME = 0x01000193;

    private LinkPorts() {}

    /**
     * The ports of a job, in the order in which they are tried: 25000 + 3 * (h mod 1333) and the two after it, where h is the
     * 32-bit FNV-1a hash of the id in UTF-8, without sign. Will not change: launchers of different versions must meet.
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
