package dev.muster.testkit.runtime;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.AttachedSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.supervise.SupervisorEvents;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Engine;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.testkit.VirtualCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Plans a node of a virtual cluster and carries the plan out with real processes, through the runtime's own supervisor. */
final class SupervisedRun {

    private final Signals signals = Signals.delivered();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final LaunchPlan plan;
    private final JobDirectories places;

    private SupervisedRun(LaunchPlan plan, JobDirectories places) {
        this.plan = plan;
        this.places = places;
    }

    /** One node whose tasks are shells that run a script; {@code $1} in it is the directory. */
    static SupervisedRun of(Engine engine, int cards, Map<String, String> options, String script, Path directory)
            throws PlanException, IOException {
        List<String> command = List.of("/bin/sh", "-c", script, "task", directory.toString());
        VirtualCluster cluster = VirtualCluster.of(engine, 1, cards, options, command, directory.toString());
        JobSpec job = cluster.request(0).job();
        Files.createDirectories(Path.of(job.directory()));
        LaunchPlan plan = EngineResources.read(cluster.plans().get(0), engine.getClass());
        return new SupervisedRun(plan, job.places());
    }

    LaunchPlan plan() {
        return plan;
    }

    /** Runs to the end and gives the launcher's exit code. */
    int run(Duration grace) throws InterruptedException {
        return ExitCodes.STANDARD.of(verdict(grace).cause());
    }

    Verdict verdict(Duration grace) throws InterruptedException {
        Path logs = Path.of(places.logDirectory());
        AttachedSupervisor attached = AttachedSupervisor.startWithoutSignals(
                ProcessInfo.ofJvm(new String[0]), ProcessInfo.architecture(), System::nanoTime);
        try (Console console = Console.onto(out, err)) {
            SupervisorEvents events = new SupervisorEvents(
                    signals, new ControlServer(attached.connection(), System::nanoTime), System::nanoTime);
            attached.connection().listen(events);
            PlanRun run = new PlanRun(
                    console,
                    signals,
                    attached.connection(),
                    events,
                    Environment.of(System.getenv()),
                    RunDirectory.of(Map.of(), List.of("/tmp")),
                    System::nanoTime);
            return run.run(plan, settings(logs, grace)).verdict();
        } finally {
            attached.connection().verdict(0);
            attached.awaitEnd();
        }
    }

    private static RunSettings settings(Path logs, Duration grace) {
        return RunSettings.alone(
                new RunSettings.OutputSettings(
                        VirtualCluster.JOB_ID, Instant.EPOCH, logs, process -> "[" + ProcessNames.of(process) + "] "),
                RunSettings.StopSettings.of(grace, Duration.ZERO),
                RunSettings.JobSettings.of("", List.of(), System.getenv(), new Secrets(List.of())),
                grace);
    }

    void signal(String name, int number) {
        signals.deliver(name, number);
    }

    Path logOf(String processId) {
        return plan.processes().stream()
                .filter(process -> process.id().equals(processId))
                .map(process ->
                        Path.of(places.logDirectory()).resolve(process.launch().logFile()))
                .findFirst()
                .orElseThrow();
    }

    String console() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String said() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
