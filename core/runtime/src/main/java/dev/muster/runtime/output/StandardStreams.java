package dev.muster.runtime.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The launcher's own standard output and standard error. */
final class StandardStreams {

    /** What the names of terminals begin with, in a container too. */
    private static final List<String> TERMINALS = List.of("/dev/pts/", "/dev/tty", "/dev/console");

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /** Kept open for ever. */
    private static final List<OutputStream> PLACEHOLDERS = new ArrayList<>();

    private StandardStreams() {}

    static OutputStream out() {
        return new FileOutputStream(FileDescriptor.out);
    }

    static OutputStream err() {
        return new FileOutputStream(FileDescriptor.err);
    }

    /**
     * Fills the descriptors 0 to 2 where the caller closed them. Without this the next file that is opened, such as a log
     * file, would become our standard error.
     */
    static synchronized void fillGaps() {
        if (!Files.isDirectory(DESCRIPTORS)) {
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
            return Files.readSymbolicLink(DESCRIPTORS.resolve("1"))
                    .equals(Files.readSymbolicLink(DESCRIPTORS.resolve("2")));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether what is written to standard error is seen at once, and can be written over. */
    static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(DESCRIPTORS.resolve("2")).toString();
            return TERMINALS.stream().anyMatch(target::startsWith);
        } catch (IOException noProc) {
            return false;
        }
    }

    private static boolean isOpen(int descriptor) {
        return Files.exists(DESCRIPTORS.resolve(Integer.toString(descriptor)), LinkOption.NOFOLLOW_LINKS);
    }
}
