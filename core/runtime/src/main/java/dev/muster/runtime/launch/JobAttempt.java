package dev.muster.runtime.launch;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SignalName;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.inputs.InputReuse;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.LogDirectoryClaim;
import dev.muster.runtime.supervise.PeerLink;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunIdentity;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Carries out this node's attempts, each from the meeting with the other launchers to the end of its processes. */
final class JobAttempt {

    /** While the launcher waits for others, it checks this often whether the inputs of its plan have changed. */
    private static final Duration POLL_PAUSE = Duration.ofMillis(200);

    private final LaunchContext context;
    private final PlanRun planRun;
    private final LaunchRequest request;
    private final ResolvedJob resolved;
    private final JobLink link;
    private final LinkSetup linkSetup;
    private final LogDirectoryClaim logs;
    private final MetricsFile metrics;
    private final Announcement announcement;
    private final Optional<InputReuse> reuse;
    private final Optional<ResetFile> resets;
    /** Made once: all attempts of a job have the same environment. */
    private Optional<JobContext> jobContext = Optional.empty();

    private Optional<RunIdentity> identity = Optional.empty();

    /** @param logs the directory for logs */
    @Inject
    JobAttempt(
            LaunchContext context,
            PlanRun planRun,
            LaunchRequest request,
            JobLink link,
            LinkSetup linkSetup,
            LogDirectoryClaim logs,
            MetricsFile metrics) {
        this.context = context;
        this.planRun = planRun;
        this.request = request;
        this.resolved = request.resolved();
        this.link = link;
        this.linkSetup = linkSetup;
        this.logs = logs;
        this.metrics = metrics;
        this.announcement = new Announcement(context.console(), request.invocation(), resolved);
        this.resets = Restarts.resetFile(resolved);
        this.reuse = Restarts.first(resolved.settings()).mayRestart()
                ? Optional.of(new InputReuse(resets))
                : Optional.empty();
    }

    /**
     * An attempt that has ended.
     *
     * @param startedAt when the attempt began
     */
    record Ended(Instant startedAt, Verdict verdict, Map<String, LogReport> logs) {}

    /**
     * Carries out one attempt.
     *
     * @return empty when the launcher was told to stop before it started anything
     * @throws MusterException when nothing of the attempt could be started
     */
    Optional<Ended> carryOut(RunCount count) throws InterruptedException {
        Instant begin = count.run() == 1 ? request.startedAt() : context.clock().instant();
        metrics.preparing(count.run() - 1);
        Optional<Planned> planned;
        try {
            planned = prepare(count);
        } catch (MusterException refused) {
            linkSetup.reportRefusal(jobContext.orElseGet(() -> new JobContext(context, Optional.empty())));
            throw refused;
        }
        return planned.isPresent() ? Optional.of(carryOut(planned.get(), begin)) : Optional.empty();
    }

    private Optional<Planned> prepare(RunCount count) throws InterruptedException {
        resolved.refusal().ifPresent(refused -> {
            throw refused;
        });
        connectEarly(count);
        return makeContext() ? planTogether(count) : Optional.empty();
    }

    /** In the first attempt the launcher connects to the launchers known before the plan. Later attempts have met all. */
    private void connectEarly(RunCount count) {
        if (count.run() > 1) {
            reuse.ifPresent(files -> files.startNext(link::replaced));
            return;
        }
        JobContext callers = new JobContext(context, Optional.empty());
        Planning planning = new Planning(callers, request.invocation(), resolved, count, reuse, what -> {});
        linkSetup.connectTo(planning.launchers(resolved.node()));
    }

    private Ended carryOut(Planned planned, Instant begin) throws InterruptedException {
        NodePlan plan = planned.plan();
        LaunchContext ofRun = planned.jobContext().context();
        announcement.print(
                plan,
                planned.jobContext().line(),
                linkSetup.note(),
                ofRun.processInfo().directory());
        PlanRun.Result result = planRun.run(plan.plan(), runSettings(plan, ofRun, planned.count()));
        if (result.verdict().cause() instanceof Cause.Decided decided && decided.isFault()) {
            reuse.ifPresent(InputReuse::markFault);
        }
        return new Ended(begin, result.verdict(), result.logs());
    }

    /** A plan, and the context of the attempt's processes. */
    private record Planned(NodePlan plan, JobContext jobContext, RunCount count) {}

    /** False when the launcher was told to stop meanwhile. */
    private boolean makeContext() {
        if (jobContext.isEmpty()) {
            jobContext = JobContext.of(
                    context,
                    request.invocation().settings(),
                    request.invocation().job());
            jobContext.ifPresent(
                    made -> made.context().requireProgram(request.invocation().job(), resolved.places()));
        }
        return jobContext.isPresent();
    }

    /** Plans again until all launchers are ready and have read the same inputs; empty: this launcher was told to stop. */
    private Optional<Planned> planTogether(RunCount count) {
        Optional<Planned> planned = plan(count);
        planned.ifPresent(this::reportReady);
        while (planned.isPresent() && !link.hasBegun() && !linkSetup.isKeyMissing()) {
            if (!context.signals().sleep(POLL_PAUSE)) {
                return Optional.empty();
            }
            // A replacement launcher learns only here how many attempts there have been.
            RunCount known = link.count();
            boolean isPast = !reuse.map(InputReuse::areCurrent).orElse(true);
            if (isPast || planned.get().count().run() != known.run()) {
                Optional<Planned> anew = plan(known);
                // If the attempt has begun meanwhile, all launchers began it with their earlier plans.
                if (!link.hasBegun()) {
                    planned = anew;
                    planned.ifPresent(this::reportReady);
                }
            }
        }
        return planned.isPresent()
                        && planned.get().count().run() != link.count().run()
                ? plan(link.count())
                : planned;
    }

    private void reportReady(Planned planned) {
        linkSetup.connectByPlan(planned.plan());
        link.reportReady(planned.count(), reuse.flatMap(InputReuse::digest).orElse(""));
    }

    private Optional<Planned> plan(RunCount count) {
        JobContext ofRun = jobContext.orElseThrow().with(count.variables());
        return new Planning(ofRun, request.invocation(), resolved, count, reuse, link::reportAwaited)
                .planThisNode(resolved.settings().duration(OptionTable.INPUT_TIMEOUT))
                .map(plan -> new Planned(plan, ofRun, count));
    }

    private RunSettings runSettings(NodePlan planned, LaunchContext ofRun, RunCount count) {
        Settings settings = resolved.settings();
        String name = count.run() == 1 ? resolved.jobId() : count.run() + " of " + resolved.jobId();
        return new RunSettings(
                new RunSettings.OutputSettings(
                        name, Path.of(resolved.places().logDirectory()), prefix(planned.plan()), style()),
                stopSettings(),
                RunSettings.JobSettings.of(
                        launcherName(planned),
                        request.invocation().job(),
                        ofRun.processInfo().environment(),
                        settings.secrets()),
                Optional.of(new RunSettings.Owner(identity(planned), logs, metrics::running)),
                count.run() > 1,
                settings.duration(OptionTable.INPUT_TIMEOUT),
                new PeerLink(link, count.limit() > 0, exitDelay(count)),
                faults(count),
                count.mayRestart() ? resets : Optional.empty());
    }

    /** What stands before a process's lines on the console, for example {@code "[rank 3] "}. */
    private Function<ProcessSpec, String> prefix(LaunchPlan plan) {
        String style = resolved.settings().text(OptionTable.PREFIX).orElseThrow();
        String node = plan.name().orElseGet(() -> "node " + RunReporter.nodeName(resolved));
        return process -> {
            String name = ProcessNames.of(process);
            return switch (style) {
                case "none" -> "";
                case "node" -> "[" + (node.equals(name) ? name : node + " " + name) + "] ";
                default -> "[" + name + "] ";
            };
        };
    }

    private ConsoleStyle style() {
        Settings settings = resolved.settings();
        return new ConsoleStyle(
                settings.text(OptionTable.CONSOLE_RANKS).flatMap(NumberList::ranks),
                Optional.of(context.clock()).filter(any -> settings.isOn(OptionTable.TIMESTAMPS)),
                settings.number(OptionTable.DEBUG_RANK),
                settings.isOn(OptionTable.FOLD));
    }

    private RunSettings.StopSettings stopSettings() {
        Settings settings = resolved.settings();
        return new RunSettings.StopSettings(
                settings.duration(OptionTable.GRACE),
                settings.text(OptionTable.STOP_SIGNAL_TO).orElseThrow().equals("all"),
                Duration.ZERO,
                settings.text(OptionTable.CHECKPOINT_SIGNAL).map(SignalName::plain),
                ExitCodes.named(settings.text(OptionTable.EXIT_CODES).orElseThrow()),
                context.terminationLog().file());
    }

    private List<Fault> faults(RunCount count) {
        return context.processInfo().faults().stream()
                .filter(fault -> fault.isIn(count.run()))
                .toList();
    }

    /** Before the end of the last attempt there is no exit delay: another attempt may need this launcher. */
    private Optional<Duration> exitDelay(RunCount count) {
        return count.mayRestart()
                ? Optional.empty()
                : resolved.platform().info().exitDelay();
    }

    /** The name by which other launchers know this one. Without a link: its node index and host name. */
    private String launcherName(NodePlan planned) {
        String name = planned.plan()
                .name()
                .orElse(LauncherNodes.ofNode(resolved.node().index().orElse(0)));
        return Printable.escape(JobEnd.where(
                link.own().orElse(name),
                link.host().or(() -> Optional.of(resolved.node().machine().hostName()))));
    }

    /** The same in all attempts of this part of the job. */
    private RunIdentity identity(NodePlan planned) {
        String part = NodeRun.part(planned.plan().name(), RunReporter.nodeName(resolved));
        if (identity.filter(drawn -> drawn.part().equals(part)).isEmpty()) {
            String host = resolved.node().machine().hostName();
            identity = Optional.of(RunIdentity.draw(
                    resolved.jobId(), part, context.processInfo().pid(), host, request.startedAt()));
        }
        return identity.get();
    }
}
