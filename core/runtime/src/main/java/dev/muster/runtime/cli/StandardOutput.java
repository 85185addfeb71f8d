package dev.muster.runtime.cli;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Standard output for answers about Muster itself. It is not {@link System#out}, which plugins in this JVM may use, too. */
public final class StandardOutput {

    private StandardOutput() {}

    /**
     * Writes a text in UTF-8, whatever the locale.
     *
     * @return whether all of it could be written
     */
    public static boolean write(String text) {
        return write(text, StandardStreams.out());
    }

    /** Reports a failed write. A closed pipe is no failure: the reader has read enough. */
    public static void report(IOException refused) {
        if (!String.valueOf(refused.getMessage()).contains("Broken pipe")) {
            Console.sayAtOnce("exit 69: cannot write the standard output: " + IoReasons.of(refused));
        }
    }

    static boolean write(String text, OutputStream out) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return true;
        } catch (IOException refused) {
            report(refused);
            return false;
        }
    }
}
