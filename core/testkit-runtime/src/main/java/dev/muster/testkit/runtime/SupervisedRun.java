package dev.muster.testkit.runtime;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.process.AttachedSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.supervise.SupervisorEvents;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Condition;
import dev.muster.spi.Engine;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import dev.muster.testkit.VirtualCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans a node of a virtual cluster and carries out the plan with real processes, through the runtime's supervisor. */
final class SupervisedRun {

    private final Signals signals = Signals.delivered();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final LaunchPlan plan;
    private final JobDirectories places;

    private final String program;

    private SupervisedRun(LaunchPlan plan, JobDirectories places, String program) {
        this.plan = plan;
        this.places = places;
        this.program = program;
    }

    /** One node whose tasks run a shell script; {@code $1} in it is the directory. */
    static SupervisedRun of(Engine engine, int cards, Map<String, String> options, String script, Path directory)
            throws PlanException, IOException {
        List<String> command = List.of(program(script, directory).toString(), "--steps", "1");
        VirtualCluster cluster = VirtualCluster.of(engine, 1, cards, options, command, directory.toString());
        JobSpec job = cluster.request(0).job();
        Files.createDirectories(Path.of(job.directory()));
        LaunchPlan plan = EngineResources.read(cluster.plans().get(0), engine.getClass());
        List<ProcessSpec> processes = plan.processes().stream()
                .map(process -> played(process, command))
                .toList();
        return new SupervisedRun(plan.withProcesses(processes), job.places(), command.get(0));
    }

    /** Engines may add words to a command, so the script needs none. */
    private static Path program(String script, Path directory) throws IOException {
        Path program = Files.writeString(
                directory.resolve("train"), "#!/bin/sh\nset -- '" + directory + "'\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    /**
     * Replaces a program that this machine lacks: a service by a process that keeps running and is ready at once, a task by the user's
     * command at the end of its words.
     */
    private static ProcessSpec played(ProcessSpec process, List<String> command) {
        List<Value> words = process.launch().command();
        Optional<String> program = words.get(0).known();
        if (program.isEmpty() || isHere(program.get())) {
            return process;
        }
        if (process instanceof ProcessSpec.Service service) {
            return service.withReadyWhen(Condition.IMMEDIATELY)
                    .withLaunch(with(Launch.literally(List.of("sleep", "86400")), process.launch()));
        }
        List<Value> end = words.subList(Math.max(0, words.size() - command.size()), words.size());
        return end.equals(Launch.literally(command)) ? process.withLaunch(with(end, process.launch())) : process;
    }

    private static Launch with(List<Value> words, Launch launch) {
        return new Launch(words, launch.environment(), launch.workDirectory(), launch.logFile());
    }

    private static boolean isHere(String program) {
        return program.contains("/")
                ? Files.isExecutable(Path.of(program))
                : Stream.of(String.valueOf(System.getenv("PATH")).split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Whether a process runs the user's command itself. */
    boolean runsTheCommand(ProcessSpec process) {
        return process.launch().command().stream().anyMatch(word -> word.text().equals(program));
    }

    LaunchPlan plan() {
        return plan;
    }

    /** Runs to the end and returns the launcher's exit code. */
    int run(Duration grace) throws InterruptedException {
        return ExitCodes.STANDARD.of(verdict(grace).cause());
    }

    Verdict verdict(Duration grace) throws InterruptedException {
        Path logs = Path.of(places.logDirectory());
        AttachedSupervisor attached = AttachedSupervisor.startWithoutSignals(
                ProcessInfo.ofJvm(new String[0]), ProcessInfo.machine(), System::nanoTime);
        try (Console console = Console.onto(out, err)) {
            SupervisorEvents events = new SupervisorEvents(
                    signals, new ControlServer(attached.connection(), System::nanoTime), System::nanoTime);
            attached.connection().listen(events);
            PlanRun run = new PlanRun(
                    console, signals, attached.connection(), events, RunDirectory.of(Map.of(), List.of("/tmp")));
            return run.run(plan, settings(logs, grace)).verdict();
        } finally {
            attached.connection().setExitCode(0);
            attached.awaitEnd();
        }
    }

    private static RunSettings settings(Path logs, Duration grace) {
        return RunSettings.alone(
                new RunSettings.OutputSettings(
                        VirtualCluster.JOB_ID,
                        logs,
                        process -> "[" + ProcessNames.of(process) + "] ",
                        ConsoleStyle.PLAIN),
                RunSettings.StopSettings.of(grace, Duration.ZERO),
                RunSettings.JobSettings.of("", List.of(), Environment.of(System.getenv()), new Secrets(List.of())),
                grace);
    }

    void signal(int number) {
        signals.deliver(number);
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
