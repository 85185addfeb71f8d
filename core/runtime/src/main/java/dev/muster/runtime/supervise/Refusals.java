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

    /** As the C library says that there are no more processes or no more memory; the next time there may be. */
    private static final List<String> OF_PROCESSES = List.of(
            "Resource temporarily unavailable",
            "Cannot allocate memory",
            "error=11,",
            "error: 11 ",
            "error=12,",
            "error: 12 ");

    /** As it says that there are no more open files, of the process or of the machine. */
    private static final List<String> OF_FILES = List.of("Too many open files", "error=23,", "error=24,");

    private static final String NO_PROCESSES = "no more processes can be started";
    private static final String NO_THREADS = "no more threads can be made";

    private Refusals() {}

    /** Of a shell that was to start a process. */
    static Termination ofShell() {
        return passing(NO_PROCESSES);
    }

    static Termination of(IOException refused) {
        String words = String.valueOf(refused.getMessage());
        if (isOfFiles(refused)) {
            return passing("no more files can be opened");
        }
        if (OF_PROCESSES.stream().anyMatch(words::contains)) {
            return passing(NO_PROCESSES);
        }
        return refused.getCause() instanceof OutOfMemoryError
                ? passing(NO_THREADS)
                : Termination.notStarted(ExitCode.NOT_EXECUTABLE, Reasons.of(refused));
    }

    /** @throws OutOfMemoryError when it is the JVM's memory that has run out */
    static Termination of(OutOfMemoryError error) {
        if (!String.valueOf(error.getMessage()).contains("thread")) {
            throw error;
        }
        return passing(NO_THREADS);
    }

    /** Whether it says that no more files can be opened. */
    static boolean isOfFiles(Exception refused) {
        String words = String.valueOf(refused.getMessage());
        return OF_FILES.stream().anyMatch(words::contains);
    }

    private static Termination passing(String what) {
        String limits = new StartLimits(Path.of("/")).text();
        return Termination.notStarted(
                ExitCode.TEMPORARY, what + " (" + (limits.isEmpty() ? "no limit can be seen from here" : limits) + ")");
    }
}
