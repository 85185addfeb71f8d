package dev.muster.runtime.cli;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Where answers to questions about Muster itself go. Not {@link System#out}, which is anybody's who runs in this JVM. */
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

    /** Whoever has read enough has closed the pipe, and needs no words. */
    public static void tell(IOException refused) {
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
            tell(refused);
            return false;
        }
    }
}
