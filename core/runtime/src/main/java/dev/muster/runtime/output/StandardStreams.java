package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;

/** The launcher's own standard output and standard error. */
final class StandardStreams {

    /** Kept open for ever. */
    private static final List<OutputStream> PLACEHOLDERS = new ArrayList<>();

    private StandardStreams() {}

    /**
     * Fills the descriptors 0 to 2 where the caller closed them. Without this the next file that is opened, such as a log
     * file, would become our standard error.
     */
    static synchronized void fillGaps() {
        if (!Files.isDirectory(Descriptors.ALL)) {
            return;
        }
        try {
            while (!isOpen(0) || !isOpen(1) || !isOpen(2)) {
                PLACEHOLDERS.add(new FileOutputStream("/dev/null"));
            }
        } catch (IOException e) {
            // Without /dev/null the gaps stay; whatever is written to them is lost either way.
        }
    }

    /** Whether both lead to the same terminal, file or pipe. */
    static boolean shareTarget() {
        try {
            return Files.readSymbolicLink(Descriptors.of(1)).equals(Files.readSymbolicLink(Descriptors.of(2)));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOpen(int descriptor) {
        return Files.exists(Descriptors.of(descriptor), LinkOption.NOFOLLOW_LINKS);
    }
}
