package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A launcher whose ranks inherit nothing. */
final class TestPlanRuns {

    private TestPlanRuns() {}

    /** A directory of its own where others cannot exchange it, as they could in the usual one for temporary files. */
    static Path place() throws IOException {
        Path run = Path.of("/run");
        return Files.createTempDirectory(
                Files.isWritable(run) ? run : Path.of("target").toAbsolutePath(), "muster-test-");
    }

    /** @param runtime where its private directory is made */
    static PlanRun in(Path runtime, Console console, Signals signals) {
        return new PlanRun(
                console,
                signals,
                new LocalSupervisor(),
                Environment.of(Map.of()),
                RunDirectory.of(Map.of("XDG_RUNTIME_DIR", runtime.toString()), List.of()),
                System::nanoTime);
    }
}
