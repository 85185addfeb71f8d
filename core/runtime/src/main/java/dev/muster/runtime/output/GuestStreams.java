package dev.muster.runtime.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/** The standard streams of code that is not the launcher's. */
public final class GuestStreams {

    private GuestStreams() {}

    /**
     * From now on, whatever uses the streams of {@link System} reads nothing and prints to standard error: standard input is the
     * processes', standard output is theirs and that of what users have asked for. Closing these streams closes nothing.
     */
    public static void provide() {
        PrintStream errors = new PrintStream(new Kept(), true);
        System.setOut(errors);
        System.setErr(errors);
        System.setIn(InputStream.nullInputStream());
    }

    /** Stays open: the launcher itself says its last words there. */
    private static final class Kept extends FileOutputStream {

        Kept() {
            super(FileDescriptor.err);
        }

        @Override
        public void close() {}
    }
}
