package dev.muster.runtime.files;

import dev.muster.runtime.text.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What a file holds, in brief: to see later whether it is the same still. */
public final class FileDigest {

    private FileDigest() {}

    /** Empty where there is no regular file that can be read. */
    public static String of(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Sha256.hex(Files.readAllBytes(file)) : "";
        } catch (IOException gone) {
            return "";
        }
    }
}
