package dev.muster.runtime.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Where answers to questions about Muster itself go. */
public final class StandardOutput {

    private StandardOutput() {}

    /**
     * Writes a text in UTF-8, whatever the locale.
     *
     * @return whether all of it could be written
     */
    public static boolean write(String text) {
        OutputStream out = System.out;
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException closed) {
            return false;
        }
        return !System.out.checkError();
    }
}
