package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs a plan on this node: prepares it, supervises it, and cleans up. */
public final class PlanRun {

    private final RunTools tools;
    private final RunLock lock;

    @Inject
    public PlanRun(
            Console console,
            Signals signals,
            ProcessSupervisor supervisor,
            SupervisorEvents events,
            RunDirectory runDirectory) {
        tools = new RunTools(
                console,
                signals,
                supervisor,
                events,
                runDirectory,
                RunMarker.random().value());
        lock = new RunLock(tools);
    }

    /**
     * The result of an attempt.
     *
     * @param logs by process id, without processes that were never started
     */
    public record Result(Verdict verdict, Map<String, LogReport> logs) {}

    /**
     * Runs a plan to its end.
     *
     * @throws MusterException it cannot be prepared; nothing has been started then
     * @throws StoppedException the launcher is told to stop before anything is started
     */
    public Result run(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        // Limits that were enough for one attempt are enough for the next.
        if (!settings.isRestart()) {
            requireRoom(plan);
            settings.output().debugged().requireTerminal(plan, tools);
        }
        try (Ports ports = new Ports()) {
            return run(plan, settings, ports);
        } finally {
            tools.directory().close();
        }
    }

    /** @throws MusterException 78: a limit is too low for the plan's processes */
    public static void requireRoom(LaunchPlan plan) {
        StartLimits limits = new StartLimits(Path.of("/"));
        plan.processes()
                .forEach(process -> process.hosted()
                        .ifPresent(ranks -> limits.requireFilesOf(ProcessNames.of(process), ranks.files())));
        limits.requireFiles(plan.processes().size());
        long hosted = plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .mapToLong(HostedRanks::tasks)
                .sum();
        limits.require(plan.processes().size(), hosted);
    }

    private Result run(LaunchPlan plan, RunSettings settings, Ports ports) throws InterruptedException {
        PortClaims claims = new PortClaims(ports, settings.inputTimeout(), tools.signals()::sleep, tools.waits());
        if (!isLocked(settings) || !claims.claim(plan.ports(), settings.isRestart())) {
            throw new StoppedException();
        }
        Optional<Path> logs = logDirectory(settings, tools.console()::warn);
        PreparedPlan prepared =
                PreparedPlan.prepare(plan, tools, ports, settings.job().environment());
        return new Supervision(tools, settings).carryOut(prepared, logs);
    }

    private boolean isLocked(RunSettings settings) {
        if (settings.owner().isEmpty()) {
            lock.nameSimulation(settings.output().run(), settings.stop().grace());
            return true;
        }
        RunIdentity identity = settings.owner().get().identity();
        boolean isTaken = lock.take(identity, settings.stop().grace());
        if (isTaken) {
            tools.events().control().setPart(identity.part());
        }
        return isTaken;
    }

    /** Empty: there are no logs. A job on paid accelerators must not fail because logs cannot be written. */
    private static Optional<Path> logDirectory(RunSettings settings, Consumer<String> warn) {
        Optional<Path> usual = make(settings.output().logDirectory(), warn);
        if (usual.isEmpty() || settings.owner().isEmpty()) {
            return usual;
        }
        RunSettings.Owner owner = settings.owner().get();
        Path own = owner.logs().claim(usual.get(), owner.identity(), warn);
        return own.equals(usual.get()) ? usual : make(own, warn);
    }

    private static Optional<Path> make(Path directory, Consumer<String> warn) {
        try {
            Directories.makeShared(directory);
        } catch (FileException refused) {
            warn.accept("no log files: " + refused.getMessage() + "; output goes to the console only");
            return Optional.empty();
        }
        if (!Files.isWritable(directory)) {
            warn.accept("no log files: " + directory + " cannot be written; output goes to the console only");
            return Optional.empty();
        }
        return Optional.of(directory);
    }
}
