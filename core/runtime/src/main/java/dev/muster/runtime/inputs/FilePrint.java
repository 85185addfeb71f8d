package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * By what a file is known again.
 *
 * @param digest of its content
 * @param writing who looks at the same file twice sees another one when it was written meanwhile, with the same content too
 */
record FilePrint(String digest, Writing writing) {

    /** Writers of rank tables count in this file beside the table how often they have written it. */
    private static final String COUNTER = "version";

    /** A number of 18 digits and a line's end. */
    private static final int LONGEST_COUNTER = 32;

    /**
     * One writing of a file.
     *
     * @param mark the file behind the path, and when it was changed; empty where nothing is
     * @param version what the counter beside it says, where there is one
     */
    record Writing(String mark, OptionalLong version) {

        static Writing of(Path file) {
            return new Writing(markOf(file), versionBeside(file));
        }

        /** Whether the file was written again after this. */
        boolean isBefore(Writing later) {
            return hasGrown(later) || !mark.equals(later.mark);
        }

        private boolean hasGrown(Writing later) {
            return later.version.isPresent() && (version.isEmpty() || later.version.getAsLong() > version.getAsLong());
        }

        private static String markOf(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return attributes.fileKey() + " " + attributes.lastModifiedTime();
            } catch (IOException nothingThere) {
                return "";
            }
        }

        private static OptionalLong versionBeside(Path file) {
            Snapshot counter = Snapshot.of(file.resolveSibling(COUNTER), LONGEST_COUNTER);
            String text = new String(counter.bytes(), StandardCharsets.UTF_8).strip();
            return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        }
    }

    /** @param writing what was seen before the content was read: what comes later is not missed */
    static FilePrint of(byte[] content, Writing writing) {
        return new FilePrint(Sha256.hex(content), writing);
    }

    /** That of a file as it is now; empty: there is none that could be read as a whole. */
    static Optional<FilePrint> ofJson(Path file) {
        Writing writing = Writing.of(file);
        Snapshot snapshot = Snapshot.of(file, Json.LIMIT);
        return snapshot.state() == Snapshot.State.CONTENT
                ? Optional.of(of(snapshot.bytes(), writing))
                : Optional.empty();
    }

    boolean saysTheSameAs(FilePrint other) {
        return digest.equals(other.digest);
    }
}
