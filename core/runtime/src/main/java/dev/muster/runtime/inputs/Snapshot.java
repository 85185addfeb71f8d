package dev.muster.runtime.inputs;

import dev.muster.runtime.files.IoReasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * The content of a file at one moment. The path is opened anew each time, since writers rename and swap links. Only regular files are
 * opened: others could block for ever.
 *
 * @param bytes the content, not a copy; empty unless the state is {@link State#CONTENT}
 * @param size of the file in bytes, as far as known
 * @param reason the rest of a sentence that starts with the file's name; empty: the state says all
 */
@SuppressWarnings("ArrayRecordComponent") // Too large to copy, and never compared.
record Snapshot(State state, byte[] bytes, long size, String reason) {

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

    private static final byte[] NOTHING = {};

    /** @param limit bytes that the file may have */
    static Snapshot of(Path path, int limit) {
        try {
            return read(path, limit);
        } catch (NoSuchFileException e) {
            return new Snapshot(State.MISSING, NOTHING, 0, "does not exist");
        } catch (IOException e) {
            String reason = IoReasons.of(e);
            // Older Java versions report this if a part of the path is a file. Newer ones report a missing file.
            return reason.equals("not a directory")
                    ? new Snapshot(State.MISSING, NOTHING, 0, "does not exist (a part of the path is a file)")
                    : new Snapshot(State.UNREADABLE, NOTHING, 0, "cannot be read (" + reason + ")");
        }
    }

    private static Snapshot read(Path path, int limit) throws IOException {
        BasicFileAttributes before = Files.readAttributes(path, BasicFileAttributes.class);
        if (before.isDirectory()) {
            return new Snapshot(State.DIRECTORY, NOTHING, 0, "is a directory, expected a regular file");
        }
        if (!before.isRegularFile()) {
            return new Snapshot(State.SPECIAL, NOTHING, 0, "is no regular file");
        }
        if (before.size() > limit) {
            return new Snapshot(State.TOO_BIG, NOTHING, before.size(), "");
        }
        byte[] bytes;
        try (InputStream file = Files.newInputStream(path)) {
            bytes = file.readNBytes(limit + 1);
        }
        boolean isWhole =
                bytes.length == before.size() && isSame(before, Files.readAttributes(path, BasicFileAttributes.class));
        return isWhole
                ? new Snapshot(State.CONTENT, bytes, bytes.length, "")
                : new Snapshot(State.CHANGING, NOTHING, 0, "is being written");
    }

    private static boolean isSame(BasicFileAttributes before, BasicFileAttributes after) {
        return before.size() == after.size()
                && before.lastModifiedTime().equals(after.lastModifiedTime())
                && Objects.equals(before.fileKey(), after.fileKey());
    }
}
