package dev.muster.runtime.inputs;

import dev.muster.runtime.text.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Identifies the content of a file at one moment.
 *
 * @param digest of its content
 * @param mark changes when the file is written, even with the same content
 */
record FilePrint(String digest, String mark) {

    /** @param mark taken before the content was read, so that a later write is noticed */
    static FilePrint of(byte[] content, String mark) {
        return new FilePrint(Sha256.hex(content), mark);
    }

    /** The file's key and time of change; empty: there is no file. */
    static String markOf(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.lastModifiedTime();
        } catch (IOException nothingThere) {
            return "";
        }
    }

    boolean hasSameContent(FilePrint other) {
        return digest.equals(other.digest);
    }
}
