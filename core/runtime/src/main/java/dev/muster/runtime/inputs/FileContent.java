package dev.muster.runtime.inputs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * What a file had when it was read once.
 *
 * @param bytes all of them, or without white space; not a copy
 * @param size how many bytes the file had
 * @param sum the CRC-32 of all of these
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record FileContent(byte[] bytes, long size, long sum) {

    /** So much is read at once: the JDK needs as much memory of its own for it. */
    static final int PART = 64 * 1024;

    /** So many bytes, or fewer where the file has fewer. One array that fits: a table may be a sixth of the heap. */
    static FileContent read(Path path, int size) throws IOException {
        byte[] bytes = new byte[size];
        try (InputStream file = Files.newInputStream(path)) {
            int read = 0;
            int more = file.readNBytes(bytes, 0, Math.min(PART, size));
            while (more > 0) {
                read += more;
                more = file.readNBytes(bytes, read, Math.min(PART, size - read));
            }
            byte[] all = read == size ? bytes : Arrays.copyOf(bytes, read);
            return new FileContent(all, read, sum(all));
        }
    }

    private static long sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, bytes.length);
        return sum.getValue();
    }

    /**
     * Whether a file has these bytes and no others, without having it in memory twice. By a checksum: every Java has a fast one from
     * its first call on, while to compare megabytes takes one of twelve milliseconds that has not compiled that yet.
     */
    boolean isThatOf(Path path) throws IOException {
        byte[] part = new byte[PART];
        CRC32 there = new CRC32();
        long seen = 0;
        try (InputStream file = Files.newInputStream(path)) {
            for (int read = file.readNBytes(part, 0, PART); read > 0; read = file.readNBytes(part, 0, PART)) {
                seen += read;
                if (seen > size) {
                    return false;
                }
                there.update(part, 0, read);
            }
        }
        return seen == size && there.getValue() == sum;
    }
}
