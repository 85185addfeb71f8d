package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.process.OpenFiles;
import dev.muster.runtime.process.ProcessSupervisor;
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
    private final RunScope scope;
    private final RunLock lock;

    public PlanRun(
            Console console,
            Signals signals,
            ProcessSupervisor supervisor,
            Environment environment,
            RunDirectory runDirectory,
            LongSupplier nanoClock) {
        SupervisorEvents events =
                new SupervisorEvents(signals, new ControlServer(supervisor, signals, nanoClock), nanoClock);
        supervisor.listen(events);
        StopOrders orders = new StopOrders(supervisor, events);
        tools = new RunTools(
                console,
                signals,
                supervisor,
                events,
                orders,
                environment,
                runDirectory,
                nanoClock,
                new OpenFiles(Path.of("/")),
                new StartLimits(Path.of("/")));
        scope = new RunScope(runDirectory, orders);
        lock = new RunLock(supervisor, nanoClock);
    }

    private PlanRun(RunTools tools, RunScope scope, RunLock lock) {
        this.tools = tools;
        this.scope = scope;
        this.lock = lock;
    }

    /** The same for processes that get another environment. */
    public PlanRun inheriting(Environment other) {
        return new PlanRun(tools.inheriting(other), scope, lock);
    }

    /**
     * Ends the services that the last attempt has kept for the next: there is none.
     *
     * @return how they have ended, by their ids
     */
    public Map<String, Termination> putAway() {
        return scope.close();
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
        // Limits that had room for one attempt have room for the next.
        if (!settings.isAgain()) {
            requireRoom(plan);
        }
        if (PrivateWords.areIn(plan)) {
            tools.directory().requireClosed();
        }
        scope.enter(plan, settings.grace());
        boolean isOver = false;
        try {
            Supervision.Reached reached = carryOutLocked(plan, settings);
            isOver = true;
            return reached;
        } finally {
            scope.leave(isOver);
        }
    }

    private void requireRoom(LaunchPlan plan) {
        plan.processes()
                .forEach(process -> process.hosted()
                        .ifPresent(ranks -> tools.openFiles().requireOf(ProcessNames.of(process), ranks.files())));
        tools.openFiles().require(plan.processes().size());
        tools.limits().require(plan.processes().size(), hostedTasks(plan));
    }

    private static long hostedTasks(LaunchPlan plan) {
        return plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .mapToLong(HostedRanks::tasks)
                .sum();
    }

    private Supervision.Reached carryOutLocked(LaunchPlan plan, RunSettings settings) throws InterruptedException {
        Supervision supervision = new Supervision(tools, settings, scope);
        PortClaims claims = new PortClaims(
                scope.ports(), settings.inputTimeout(), tools.signals()::goOnAfter, tools.waits(settings));
        if (!isLocked(settings) || !scope.claim(claims, plan.ports(), settings.isAgain())) {
            return supervision.stoppedBeforeTheStart(plan);
        }
        Consumer<String> warn = tools.console()::warn;
        RunLogs logs = RunLogs.open(settings, warn);
        PreparedPlan prepared = new Preparation(
                        tools.directory(),
                        scope.ports(),
                        tools.supervisor()::program,
                        settings.environment(),
                        settings.secrets(),
                        warn)
                .prepare(logs.named(plan));
        return supervision.carryOut(prepared, logs);
    }

    private boolean isLocked(RunSettings settings) {
        if (settings.identity().isEmpty()) {
            lock.nameSimulation(settings.run(), settings.grace());
            return true;
        }
        RunIdentity identity = settings.identity().get();
        boolean isTaken = lock.take(identity, settings.grace(), tools.signals()::goOnAfter, tools.waits(settings));
        if (isTaken) {
            tools.events().hasPart(identity.part());
        }
        return isTaken;
    }
}
