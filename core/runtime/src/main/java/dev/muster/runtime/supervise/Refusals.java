package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Why the system does not start a process. */
final class Refusals {

    /** As the C library says that there are no more processes, memory or open files; the next time there may be. */
    private static final List<String> PASSING = List.of(
            "Resource temporarily unavailable",
            "Cannot allocate memory",
            "Too many open files",
            "error=11,",
            "error: 11 ",
            "error=12,",
            "error: 12 ",
            "error=23,",
            "error=24,");

    private Refusals() {}

    static Termination of(IOException refused) {
        String words = String.valueOf(refused.getMessage());
        for (String passing : PASSING) {
            if (words.contains(passing)) {
                return passing(isOfFiles(words) ? "no more files can be opened" : "no more processes can be started");
            }
        }
        return refused.getCause() instanceof OutOfMemoryError
                ? passing("no more threads can be made")
                : Termination.notStarted(ExitCode.NOT_EXECUTABLE, Reasons.of(refused));
    }

    /** @throws OutOfMemoryError when it is the JVM's memory that has run out */
    static Termination of(OutOfMemoryError error) {
        if (!String.valueOf(error.getMessage()).contains("thread")) {
            throw error;
        }
        return passing("no more threads can be made");
    }

    private static boolean isOfFiles(String words) {
        return words.contains("open files") || words.contains("error=23,") || words.contains("error=24,");
    }

    private static Termination passing(String what) {
        String limits = new StartLimits(Path.of("/")).text();
        return Termination.notStarted(
                ExitCode.TEMPORARY, what + " (" + (limits.isEmpty() ? "no limit can be seen from here" : limits) + ")");
    }
}
