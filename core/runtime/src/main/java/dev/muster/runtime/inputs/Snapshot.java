package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The content of a file at one moment. The path is opened anew each time, since writers rename and swap links; what is no
 * regular file is never opened, since that could block for ever.
 */
final class Snapshot {

    /** What is at the path. */
    enum State {
        CONTENT,
        MISSING,
        UNREADABLE,
        CHANGING,
        DIRECTORY,
        SPECIAL,
        TOO_BIG
    }

    /** So often is a file read that changes while it is read, before the caller gets its turn again. */
    private static final int ATTEMPTS = 3;

    /** So much is read at once: the JDK needs as much memory of its own for it. */
    private static final int PART = 64 * 1024;

    private static final byte[] NOTHING = {};
    private static final int TYPE_MASK = 0170000;

    private final State state;
    private final byte[] bytes;
    private final long size;
    private final String reason;

    private Snapshot(State state, byte[] bytes, long size, String reason) {
        this.state = state;
        this.bytes = bytes;
        this.size = size;
        this.reason = reason;
    }

    State state() {
        return state;
    }

    /** The content; without white space where it would be too big with it. Empty unless the state is {@link State#CONTENT}. Not a copy. */
    byte[] bytes() {
        return bytes;
    }

    /** That of the file in bytes, as far as known. */
    long size() {
        return size;
    }

    /** The rest of a sentence that starts with the file's name; empty where the state says all. */
    String reason() {
        return reason;
    }

    static Snapshot of(Path path, int limit) {
        return of(path, limit, limit);
    }

    /** Of a JSON file, which may be as much bigger as it has white space: of such a one the content is without. */
    static Snapshot ofJson(Path path) {
        return of(path, JsonReader.LIMIT, Unspaced.MOST);
    }

    /** @param most bytes that the file may have, if it has not more than the limit without white space */
    private static Snapshot of(Path path, int limit, int most) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Snapshot snapshot = attempt(path, limit, most);
                if (snapshot.state != State.CHANGING) {
                    return snapshot;
                }
            }
            return new Snapshot(State.CHANGING, NOTHING, 0, "is being written");
        } catch (NoSuchFileException e) {
            return missing(path);
        } catch (IOException e) {
            if (hasFileAbove(path)) {
                return missing(path);
            }
            return new Snapshot(State.UNREADABLE, NOTHING, 0, "cannot be read (" + Reasons.of(e) + ")");
        }
    }

    private static Snapshot attempt(Path path, int limit, int most) throws IOException {
        BasicFileAttributes before = Files.readAttributes(path, BasicFileAttributes.class);
        if (before.isDirectory()) {
            return new Snapshot(State.DIRECTORY, NOTHING, 0, "is a directory, expected a regular file");
        }
        if (!before.isRegularFile()) {
            return new Snapshot(State.SPECIAL, NOTHING, 0, "is a " + kind(path) + ", expected a regular file");
        }
        if (before.size() > limit) {
            Optional<Unspaced> rest = before.size() > most ? Optional.empty() : Unspaced.read(path, limit);
            return rest.isPresent()
                    ? new Draft(path, before, rest.get()).read()
                    : new Snapshot(State.TOO_BIG, NOTHING, before.size(), "");
        }
        if (before.size() == 0) {
            return new Snapshot(State.CONTENT, NOTHING, 0, "");
        }
        return new Draft(path, before, read(path, (int) before.size())).read();
    }

    /** A file that was read once. Only a second look, however late, tells whether it is what the file says. */
    static final class Draft {

        private final Path path;
        private final BasicFileAttributes before;
        private final byte[] bytes;
        /** Where the bytes are not all that the file has. */
        private final Optional<Unspaced> rest;

        private Draft(Path path, BasicFileAttributes before, byte[] bytes) {
            this.path = path;
            this.before = before;
            this.bytes = bytes;
            this.rest = Optional.empty();
        }

        private Draft(Path path, BasicFileAttributes before, Unspaced rest) {
            this.path = path;
            this.before = before;
            this.bytes = rest.bytes();
            this.rest = Optional.of(rest);
        }

        /**
         * Reads a file once.
         *
         * @return empty unless it is a regular file, of so many bytes at most, that can be read
         */
        static Optional<Draft> of(Path path, int limit) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                boolean fits = attributes.isRegularFile() && attributes.size() <= limit;
                return fits
                        ? Optional.of(new Draft(path, attributes, Snapshot.read(path, (int) attributes.size())))
                        : Optional.empty();
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }

        /** Not a copy. */
        byte[] bytes() {
            return bytes;
        }

        /** As {@link Snapshot#of}, which is to be asked again where the file has changed. */
        Snapshot snapshot() {
            try {
                return read();
            } catch (IOException unreadable) {
                return new Snapshot(State.CHANGING, NOTHING, 0, "");
            }
        }

        private Snapshot read() throws IOException {
            // Two changes within one tick of the file system's clock leave the times equal; so the content counts, too.
            long size = rest.map(Unspaced::size).orElse((long) bytes.length);
            boolean isWhole = size == before.size() && isContent(path, size, rest.map(Unspaced::sum), bytes);
            BasicFileAttributes after = Files.readAttributes(path, BasicFileAttributes.class);
            return isWhole && isSame(before, after)
                    ? new Snapshot(State.CONTENT, bytes, size, "")
                    : new Snapshot(State.CHANGING, NOTHING, 0, "");
        }
    }

    private static Snapshot missing(Path path) {
        String reason = hasFileAbove(path) ? "does not exist (a part of the path is a file)" : "does not exist";
        return new Snapshot(State.MISSING, NOTHING, 0, reason);
    }

    /** Older Javas report this as a failure of its own, newer ones as a file that is missing. */
    private static boolean hasFileAbove(Path path) {
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above)) {
                return !Files.isDirectory(above);
            }
        }
        return false;
    }

    /** So many bytes, or fewer where the file has fewer. One array that fits: a table may be a sixth of the heap. */
    private static byte[] read(Path path, int size) throws IOException {
        byte[] bytes = new byte[size];
        try (InputStream file = Files.newInputStream(path)) {
            int read = 0;
            int more = file.readNBytes(bytes, 0, Math.min(PART, size));
            while (more > 0) {
                read += more;
                more = file.readNBytes(bytes, read, Math.min(PART, size - read));
            }
            return read == size ? bytes : Arrays.copyOf(bytes, read);
        }
    }

    /**
     * Whether the file has these bytes and no others, without having it in memory twice. By a checksum: every Java has a fast one from
     * its first call on, while to compare megabytes takes one of twelve milliseconds that has not compiled that yet.
     */
    private static boolean isContent(Path path, long size, Optional<Long> sum, byte[] bytes) throws IOException {
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
        return seen == size && there.getValue() == sum.orElseGet(() -> sum(bytes));
    }

    private static long sum(byte[] bytes) {
        CRC32 wanted = new CRC32();
        wanted.update(bytes, 0, bytes.length);
        return wanted.getValue();
    }

    private static boolean isSame(BasicFileAttributes before, BasicFileAttributes after) {
        return before.size() == after.size()
                && before.lastModifiedTime().equals(after.lastModifiedTime())
                && Objects.equals(before.fileKey(), after.fileKey());
    }

    private static String kind(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        return switch (mode & TYPE_MASK) {
            case 0010000 -> "FIFO";
            case 0140000 -> "socket";
            case 0020000, 0060000 -> "device";
            default -> "special file";
        };
    }
}
