package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.report.VerdictWriter;
import dev.muster.runtime.supervise.Others;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunIdentity;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Launchers;
import dev.muster.spi.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;

/** One launch of this node's part of a job: all that happens between knowing where we are and the exit code. */
final class NodeLaunch {

    private final Surroundings surroundings;
    private final PlanRun planRun;
    private final Invocation invocation;
    private final Site site;
    private final ExitCodes codes;
    private final Instant startedAt;
    private final JobLink link;
    private final Meeting meeting;

    /** @param link not open yet */
    NodeLaunch(
            Surroundings surroundings,
            PlanRun planRun,
            Invocation invocation,
            Site site,
            ExitCodes codes,
            Instant startedAt,
            JobLink link) {
        this.surroundings = surroundings;
        this.planRun = planRun;
        this.invocation = invocation;
        this.site = site;
        this.codes = codes;
        this.startedAt = startedAt;
        this.link = link;
        this.meeting = new Meeting(surroundings, site, engine(), secrets(), link);
    }

    /**
     * Runs the job.
     *
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started, and that is what the job ends with
     */
    int run() throws InterruptedException {
        try {
            return launch();
        } catch (StoppedException inAPlugin) {
            return stoppedWhileWaiting();
        } catch (MusterException refused) {
            return refused(refused, refused.exitCode());
        } catch (RuntimeException | Error broken) {
            return refused(broken, ExitCode.INTERNAL);
        }
    }

    private int launch() throws InterruptedException {
        meeting.withThese(surroundings
                .planning(invocation.engine(), site, invocation.job(), new TreeSet<>(), what -> {})
                .launchers(site.node()));
        Optional<JobSurroundings> around = JobSurroundings.of(surroundings, invocation.settings(), invocation.job());
        if (around.isEmpty()) {
            return stoppedWhileWaiting();
        }
        Surroundings ofJob = around.get().surroundings();
        CommandCheck check = ofJob.check(invocation.job(), site);
        check.requireProgram();
        Optional<NodePlan> planned = around.get()
                .planning(invocation, site, link::awaits, Optional.empty())
                .thisNode(site.settings().duration(OptionTable.INPUT_TIMEOUT));
        if (planned.isEmpty()) {
            return stoppedWhileWaiting();
        }
        new KeyCheck(planned.get().job(), surroundings.world().environment().variables(), surroundings.console()::warn)
                .require(planned.get().plan());
        meeting.withThoseOf(planned.get());
        new Announcement(surroundings.console(), invocation, site)
                .make(planned.get(), around.get().line(), meeting.note());
        check.hint(planned.get().plan())
                .ifPresent(hint -> surroundings.console().say("hint: " + hint));
        PlanRun.Result result = planRun.inheriting(Inheritance.of(ofJob.world().environment()))
                .run(planned.get().plan(), runSettings(planned.get(), ofJob));
        return tell(planned.get().plan().name(), result.ownId(), result.verdict(), result.logs());
    }

    private RunSettings runSettings(NodePlan planned, Surroundings ofJob) {
        Settings settings = site.settings();
        ConsolePrefix prefix = ConsolePrefix.of(
                settings.text(OptionTable.PREFIX).orElseThrow(), planned.plan().name(), site.node());
        return RunSettings.builder(
                        site.jobId(), startedAt, Path.of(site.places().logDirectory()))
                .grace(settings.duration(OptionTable.GRACE))
                .checkpointSignal(settings.text(OptionTable.CHECKPOINT_SIGNAL))
                .inputTimeout(settings.duration(OptionTable.INPUT_TIMEOUT))
                .progress(settings.duration(OptionTable.PROGRESS))
                .prefix(prefix::of)
                .environment(ofJob.world().environment().variables())
                .secrets(secrets(), invocation.job())
                .others(new Others(link, stopsAlone(), site.link().staysFor(), meeting.host()))
                .identity(identity(planned))
                .node(where(planned))
                .faults(faults(1))
                .build();
    }

    private List<Fault> faults(int run) {
        return surroundings.world().faults().stream()
                .filter(fault -> fault.isIn(run))
                .toList();
    }

    /** As the other launchers call it; one that is alone by its index and the machine's name. */
    private String where(NodePlan planned) {
        String name = planned.plan()
                .name()
                .orElse(Launchers.ofNode(site.node().index().orElse(0)));
        return Printable.escape(JobEnd.where(
                link.own().orElse(name),
                meeting.host().or(() -> Optional.of(site.node().machine().hostName()))));
    }

    private RunIdentity identity(NodePlan planned) {
        String part = NodeRun.part(planned.plan().name(), nodeName());
        String host = site.node().machine().hostName();
        return RunIdentity.draw(site.jobId(), part, surroundings.world().pid(), host, startedAt);
    }

    /** The launcher was told to stop before there was anything to stop: by a signal, or by another launcher. */
    private int stoppedWhileWaiting() throws InterruptedException {
        Optional<ReceivedSignal> signal = surroundings.signals().stopRequest();
        if (signal.isEmpty()) {
            return endedElsewhere(link.heed());
        }
        int code = ExitCode.ofSignal(signal.get().number());
        String reason = "stopped by SIG" + signal.get().name() + "; nothing was started";
        Optional<Heard.Decided> decided =
                stopsAlone() ? Optional.empty() : link.end(stop(signal.get(), code, reason), now());
        if (decided.filter(this::isElsewhere).isPresent() && decided.get().end().kind() != JobEnd.Kind.STOPPED) {
            return endedElsewhere(decided.get());
        }
        String line = "exit " + code + ": " + reason;
        surroundings.console().say(line);
        surroundings.terminationLog().write(List.of(line));
        link.left(code);
        return code;
    }

    private JobEnd stop(ReceivedSignal signal, int code, String reason) {
        return new JobEnd(
                JobEnd.Kind.STOPPED,
                link.own().orElse(""),
                meeting.host(),
                code,
                OptionalInt.of(signal.number()),
                reason,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }

    /** @throws MusterException the refusal, unless the job had ended elsewhere before */
    private int refused(Throwable why, ExitCode code) throws InterruptedException {
        if (link.isUsed()) {
            String reason = surroundings
                    .console()
                    .masked(String.valueOf(why instanceof MusterException ? why.getMessage() : why));
            JobEnd end = JobEnd.of(JobEnd.Kind.REFUSED, link.own().orElse(""), meeting.host(), code.code(), reason);
            Optional<Heard.Decided> decided = link.end(end, now());
            if (decided.filter(this::isElsewhere).isPresent()) {
                surroundings.console().say(reason);
                return endedElsewhere(decided.get());
            }
            link.left(codes.of(code.code()));
        }
        if (why instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) why;
    }

    private boolean isElsewhere(Heard.Decided decided) {
        return !link.own().equals(Optional.of(decided.end().launcher()));
    }

    /** Nothing was started here, and nothing will be. */
    private int endedElsewhere(Heard.Decided decided) {
        JobReport job = new JobReport(link.own(), Optional.of(decided.end()), decided.sameTime(), link.report(), now());
        Verdict verdict = new Verdict(
                Optional.empty(),
                new Cause.Elsewhere(decided.end(), OptionalInt.empty()),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                job);
        // Where launchers are called by their roles, so are their results.
        boolean isOfNode = site.node().index().stream()
                .mapToObj(Launchers::ofNode)
                .anyMatch(name -> link.own().equals(Optional.of(name)));
        int code = tell(isOfNode ? Optional.empty() : link.own(), Optional.empty(), verdict, Map.of());
        if (decided.end().kind() != JobEnd.Kind.STOPPED) {
            site.link().staysFor().ifPresent(new Staying(surroundings.console(), surroundings.signals())::last);
        }
        return code;
    }

    private int tell(Optional<String> planName, Optional<String> ownId, Verdict verdict, Map<String, LogReport> logs) {
        int code = new VerdictWriter(
                        surroundings.console()::say,
                        surroundings.console()::warn,
                        secrets().mask(surroundings.world().environment().variables(), invocation.job()),
                        surroundings.clock(),
                        surroundings.terminationLog())
                .write(nodeRun(planName, ownId), verdict, logs, codes);
        link.left(code);
        return code;
    }

    private NodeRun nodeRun(Optional<String> planName, Optional<String> ownId) {
        Node node = site.node();
        return new NodeRun(
                site.jobId(),
                engine(),
                site.platform().name(),
                site.platform().explanation(),
                planName,
                ownId,
                nodeName(),
                node.index(),
                node.count(),
                Path.of(site.places().logDirectory()),
                site.run().map(run -> run.origin() + "=" + run.value()),
                startedAt);
    }

    private String nodeName() {
        return NodeRun.nodeName(site.node().index(), site.node().name().map(name -> name.value()));
    }

    private boolean stopsAlone() {
        return site.settings().text(OptionTable.STOP).orElseThrow().equals("node");
    }

    private String engine() {
        return invocation.engine().descriptor().id();
    }

    private Secrets secrets() {
        return invocation.settings().secrets();
    }

    private long now() {
        return surroundings.nanoClock().getAsLong();
    }
}
