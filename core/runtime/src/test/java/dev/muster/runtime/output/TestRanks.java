package dev.muster.runtime.output;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Shell scripts as ranks. A hub writes the output of each to {@code rank-N.log} in a directory. */
final class TestRanks {

    final OutputHub hub;
    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    TestRanks(Console console, Path directory) throws IOException {
        this.directory = directory;
        hub = new OutputHub(console, "test-1", ConsoleStyle.PLAIN);
    }

    /** Starts the next rank. */
    Process start(String script, String... arguments) throws IOException {
        int rank = processes.size();
        ProcessOutput output = hub.open(spec(rank));
        Path target =
                Path.of("/proc/self/fd", Integer.toString(output.pipe().target().write()));
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.appendTo(target.toFile()))
                .redirectError(Redirect.appendTo(target.toFile()))
                .start();
        output.pipe().closeWriteEnd();
        processes.add(process);
        return process;
    }

    StreamSpec spec(int rank) {
        return new StreamSpec(
                id(rank),
                "rank " + rank,
                OptionalInt.of(rank),
                "[rank " + rank + "] ",
                Optional.of(log(rank)),
                StreamSpec.USUALLY_KEPT);
    }

    LogReport log(String id) {
        return Objects.requireNonNull(hub.reports().get(id));
    }

    Path log(int rank) {
        return directory.resolve("rank-" + rank + ".log");
    }

    static String id(int rank) {
        return "rank-" + rank;
    }

    /** Waits for the end of all ranks. Returns the first exit code that is not 0, or 0. */
    int waitFor() throws InterruptedException {
        int code = 0;
        for (Process process : processes) {
            int ended = process.waitFor();
            code = code == 0 ? ended : code;
        }
        return code;
    }
}
