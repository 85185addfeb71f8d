package dev.muster.runtime.link;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** On which ports the launchers of a job meet: the same on all nodes, others for another job, and none that is anybody else's. */
public final class LinkPorts {

    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;
    private static final int CHOICES = 3;

    private LinkPorts() {}

    /** Three different ports, in the order in which the leader tries them. */
    public static List<Integer> of(String jobId) {
        ByteBuffer digest = ByteBuffer.wrap(sha256("muster link " + jobId));
        SortedSet<Integer> seen = new TreeSet<>();
        while (seen.size() < CHOICES && digest.remaining() >= Integer.BYTES) {
            seen.add(FIRST + Math.floorMod(digest.getInt(), COUNT));
        }
        return List.copyOf(seen);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java runtime has SHA-256", impossible);
        }
    }
}
