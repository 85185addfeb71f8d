package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

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
        return of(path, Json.LIMIT, Unspaced.MOST);
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
            Optional<FileContent> rest = before.size() > most ? Optional.empty() : Unspaced.read(path, limit);
            return rest.isPresent()
                    ? new Draft(path, before, rest.get()).read()
                    : new Snapshot(State.TOO_BIG, NOTHING, before.size(), "");
        }
        if (before.size() == 0) {
            return new Snapshot(State.CONTENT, NOTHING, 0, "");
        }
        return new Draft(path, before, FileContent.read(path, (int) before.size())).read();
    }

    /** A file that was read once. Only a second look, however late, tells whether it is what the file says. */
    static final class Draft {

        private final Path path;
        private final BasicFileAttributes before;
        private final FileContent content;

        private Draft(Path path, BasicFileAttributes before, FileContent content) {
            this.path = path;
            this.before = before;
            this.content = content;
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
                        ? Optional.of(new Draft(path, attributes, FileContent.read(path, (int) attributes.size())))
                        : Optional.empty();
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }

        /** Not a copy. */
        byte[] bytes() {
            return content.bytes();
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
            boolean isWhole = content.size() == before.size() && content.isThatOf(path);
            BasicFileAttributes after = Files.readAttributes(path, BasicFileAttributes.class);
            return isWhole && isSame(before, after)
                    ? new Snapshot(State.CONTENT, content.bytes(), content.size(), "")
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
