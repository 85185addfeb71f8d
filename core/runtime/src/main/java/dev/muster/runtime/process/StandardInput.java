package dev.muster.runtime.process;

import dev.muster.runtime.files.Descriptors;
import java.io.File;
import java.io.IOException;

/** What the launcher's standard input is. */
final class StandardInput {

    /** An input at whose end one is at once. */
    static final ProcessBuilder.Redirect NOTHING = ProcessBuilder.Redirect.from(new File("/dev/null"));

    private StandardInput() {}

    /** A terminal cannot be shared by processes in sessions of their own: reading from it would stop or fail them. */
    static boolean isTerminal() {
        try {
            return Descriptors.isTerminal(0);
        } catch (IOException closedOrNoProc) {
            // A closed input cannot be inherited either.
            return true;
        }
    }
}
