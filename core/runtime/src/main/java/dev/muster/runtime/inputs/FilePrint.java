package dev.muster.runtime.inputs;

import dev.muster.runtime.text.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * By what a file is known again.
 *
 * @param digest of its content
 * @param mark another one when it was written meanwhile, with the same content too
 */
record FilePrint(String digest, String mark) {

    /** @param mark what was seen before the content was read: what comes later is not missed */
    static FilePrint of(byte[] content, String mark) {
        return new FilePrint(Sha256.hex(content), mark);
    }

    /** The file behind the path, and when it was changed; empty where nothing is. */
    static String markOf(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.lastModifiedTime();
        } catch (IOException nothingThere) {
            return "";
        }
    }

    boolean saysTheSameAs(FilePrint other) {
        return digest.equals(other.digest);
    }
}
