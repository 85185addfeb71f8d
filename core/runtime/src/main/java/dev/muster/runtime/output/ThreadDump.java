package dev.muster.runtime.output;

import dev.muster.runtime.files.PatientStream;
import dev.muster.runtime.text.Printable;
import java.nio.charset.StandardCharsets;

/**
 * What all threads do, on standard error, for who wonders why a launcher hangs. The JVM's own answer to SIGQUIT is switched off with all that
 * it says: it would go to standard output, between the lines of ranks.
 */
public final class ThreadDump {

    private ThreadDump() {}

    /** Shows it now. */
    public static void show() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            text.append("muster: thread ").append(Printable.escape(thread.getName()));
            text.append(": ").append(thread.getState()).append('\n');
            for (StackTraceElement frame : frames) {
                text.append("muster: \tat ")
                        .append(Printable.escape(frame.toString()))
                        .append('\n');
            }
        });
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        new Outlet("standard error", PatientStream.err()).write(bytes, 0, bytes.length);
    }
}
