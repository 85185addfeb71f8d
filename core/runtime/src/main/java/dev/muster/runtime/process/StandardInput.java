package dev.muster.runtime.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the launcher's standard input is. */
final class StandardInput {

    /** An input at whose end one is at once. */
    static final ProcessBuilder.Redirect NOTHING = ProcessBuilder.Redirect.from(new File("/dev/null"));

    private StandardInput() {}

    /** A terminal cannot be shared by processes in sessions of their own: reading from it would stop or fail them. */
    static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException closedOrNoProc) {
            // A closed input cannot be inherited either.
            return true;
        }
    }
}
