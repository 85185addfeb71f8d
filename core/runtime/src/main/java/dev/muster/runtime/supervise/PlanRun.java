package dev.muster.runtime.supervise;

import dev.muster.runtime.control.StopDesk;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.IgnoredSignals;
import dev.muster.runtime.process.InheritedEnvironment;
import dev.muster.runtime.process.OpenFiles;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Carries out a plan on this machine: prepares it, supervises it, and puts everything away. */
public final class PlanRun {

    private final RunTools tools;
    private final Households households;

    public PlanRun(
            Console console,
            Signals signals,
            IgnoredSignals ignored,
            Guard guard,
            InheritedEnvironment inherited,
            RunDirectory runDirectory,
            LongSupplier nanoClock,
            StopDesk desk) {
        this(
                new RunTools(
                        console,
                        signals,
                        ignored,
                        guard,
                        inherited,
                        runDirectory,
                        nanoClock,
                        desk,
                        new OpenFiles(Path.of("/")),
                        new StartLimits(Path.of("/"))),
                new Households(runDirectory));
    }

    private PlanRun(RunTools tools, Households households) {
        this.tools = tools;
        this.households = households;
    }

    /** The same for processes that inherit another environment. */
    public PlanRun inheriting(InheritedEnvironment other) {
        return new PlanRun(tools.inheriting(other), households);
    }

    /**
     * Ends the services that the last run has kept for the next: there is none.
     *
     * @param isJobOver whether there is none on other nodes either
     * @return how they have ended, by their ids
     */
    public Map<String, Termination> putAway(boolean isJobOver) {
        Map<String, Termination> ends = households.close();
        if (isJobOver) {
            tools.directory().removeJobKeys();
        }
        return ends;
    }

    /**
     * How it went.
     *
     * @param logs by process id, for those that were to be started
     */
    public record Result(Verdict verdict, Map<String, LogReport> logs) {}

    /**
     * Runs a plan to its end.
     *
     * @throws MusterException when it cannot be prepared; nothing has been started then
     */
    public Result run(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        Supervision.Reached reached = carryOut(plan, settings);
        // Putting everything away takes its time, too.
        Duration since = Duration.ofNanos(tools.now() - reached.nanoTime());
        return new Result(reached.verdict().after(since), reached.logs());
    }

    private Supervision.Reached carryOut(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        Neighbours neighbours = new Neighbours(settings, tools.directory(), tools.guard(), tools.waits(settings));
        plan.processes()
                .forEach(process -> process.hosted()
                        .ifPresent(ranks -> tools.openFiles().requireOf(ProcessNames.of(process), ranks.files())));
        tools.openFiles().require(plan.processes().size());
        requireProcesses(plan, settings);
        if (PrivateWords.areIn(plan)) {
            tools.directory().requireClosed();
        }
        Household household = households.enter(plan);
        boolean isLeft = false;
        try {
            Supervision.Reached reached = carryOut(plan, settings, neighbours, household);
            isLeft = household.isLeft();
            return reached;
        } finally {
            if (isLeft) {
                households.leave(household);
            } else {
                household.close();
            }
        }
    }

    private void requireProcesses(LaunchPlan plan, RunSettings settings) {
        int processes = plan.processes().size();
        if (settings.isAgain()) {
            tools.limits().requireAgain(processes, hostedTasks(plan), tools.signals()::goOnAfter);
        } else {
            tools.limits().require(processes, hostedTasks(plan));
        }
    }

    private static long hostedTasks(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .mapToLong(HostedRanks::tasks)
                .sum();
    }

    private Supervision.Reached carryOut(
            LaunchPlan plan, RunSettings settings, Neighbours neighbours, Household household)
            throws InterruptedException {
        Supervision supervision = new Supervision(tools, settings, household, neighbours);
        PortClaims claims = new PortClaims(
                household.ports(), settings.inputTimeout(), tools.signals()::goOnAfter, tools.waits(settings));
        boolean goesOn = neighbours.haveEnded(
                        household.marker(), Forerunning.variables(plan), tools.signals(), tools.nanoClock())
                && household.claim(claims, plan.ports(), settings.isAgain());
        if (!goesOn) {
            return supervision.stoppedBeforeTheStart(plan);
        }
        Consumer<String> warn = tools.console()::warn;
        try (RunLogs logs = RunLogs.open(settings, warn)) {
            PreparedPlan prepared = new Preparation(
                            tools.directory(), household.ports(), settings.environment(), settings.secrets(), warn)
                    .prepare(logs.named(plan));
            return supervision.carryOut(prepared, logs);
        }
    }
}
