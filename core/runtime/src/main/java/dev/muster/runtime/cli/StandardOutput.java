package dev.muster.runtime.cli;

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

    /** Whether it is a terminal. */
    public static boolean isTerminal() {
        return StandardStreams.isTerminal(1);
    }

    static boolean write(String text, OutputStream out) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
