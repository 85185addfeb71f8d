package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.nio.file.Path;

/** Why this JVM or its supervisor does not start a process, where its program has no part in it. */
final class Refusals {

    private Refusals() {}

    static Termination of(IOException refused) {
        return passing(Reasons.of(refused));
    }

    /** @throws OutOfMemoryError when it is the JVM's memory that has run out */
    static Termination of(OutOfMemoryError error) {
        if (!String.valueOf(error.getMessage()).contains("thread")) {
            throw error;
        }
        return passing("no more threads can be made");
    }

    private static Termination passing(String what) {
        String limits = new StartLimits(Path.of("/")).text();
        return Termination.notStarted(
                ExitCode.TEMPORARY, what + " (" + (limits.isEmpty() ? "no limit can be seen from here" : limits) + ")");
    }
}
