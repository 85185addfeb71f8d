package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.inputs.Renewals;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.FileNames;
import dev.muster.runtime.supervise.Others;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunIdentity;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Launchers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Carries out the runs of this node's part of a job, each from meeting the other launchers to the end of its processes. */
final class OneRun {

    private final Surroundings surroundings;
    private final PlanRun planRun;
    private final Invocation invocation;
    private final Site site;
    private final Instant startedAt;
    private final JobLink link;
    private final Meeting meeting;
    private final FileNames names;
    private final Announcement announcement;
    private final Optional<Renewals> renewals;
    /** Made once: what a job's environment is does not change with its runs. */
    private Optional<JobSurroundings> around = Optional.empty();

    private Optional<RunIdentity> identity = Optional.empty();

    /**
     * @param startedAt when the launcher started
     * @param names of the files that it writes
     * @param renewals where there may be several runs: what each of them was planned with
     */
    OneRun(
            Surroundings surroundings,
            PlanRun planRun,
            Invocation invocation,
            Site site,
            Instant startedAt,
            JobLink link,
            Meeting meeting,
            FileNames names,
            Optional<Renewals> renewals) {
        this.surroundings = surroundings;
        this.planRun = planRun;
        this.invocation = invocation;
        this.site = site;
        this.startedAt = startedAt;
        this.link = link;
        this.meeting = meeting;
        this.names = names;
        this.announcement = new Announcement(surroundings.console(), invocation, site);
        this.renewals = renewals;
    }

    /**
     * A run that has ended.
     *
     * @param planName what the plan calls this node's part of the job
     * @param startedAt when the run began
     */
    record Ended(Optional<String> planName, Instant startedAt, Verdict verdict, Map<String, LogReport> logs) {}

    /**
     * Carries one out.
     *
     * @return empty when the launcher was told to stop before there was anything to stop
     * @throws dev.muster.runtime.errors.MusterException when nothing of it could be started
     */
    Optional<Ended> carryOut(RunCount count) throws InterruptedException {
        Instant begin = count.run() == 1 ? startedAt : surroundings.clock().instant();
        PlannedRun run = new PlannedRun(count, renewals);
        meeting.withThese(surroundings
                .planning(invocation.engine(), site, invocation.job(), new TreeSet<>(), what -> {}, run)
                .launchers(site.node()));
        Optional<JobSurroundings> ofRun = surroundings(run);
        if (ofRun.isEmpty()) {
            return Optional.empty();
        }
        Optional<NodePlan> planned = ofRun.get()
                .planning(invocation, site, link::awaits, run)
                .thisNode(site.settings().duration(OptionTable.INPUT_TIMEOUT));
        if (planned.isEmpty()) {
            return Optional.empty();
        }
        new KeyCheck(planned.get().job(), surroundings.world().environment().variables(), surroundings.console()::warn)
                .require(planned.get().plan());
        meeting.withThoseOf(planned.get());
        announcement.make(planned.get(), ofRun.get().line(), meeting.note());
        check(ofRun.get()).hint(planned.get().plan()).ifPresent(hint -> announcement.once("hint: " + hint));
        PlanRun.Result result = planRun.inheriting(
                        Inheritance.of(ofRun.get().surroundings().world().environment()))
                .run(planned.get().plan(), runSettings(planned.get(), ofRun.get().surroundings(), count, begin));
        return Optional.of(new Ended(planned.get().plan().name(), begin, result.verdict(), result.logs()));
    }

    /** Empty when the launcher was told to stop while they were made. */
    private Optional<JobSurroundings> surroundings(PlannedRun run) {
        if (around.isEmpty()) {
            around = JobSurroundings.of(surroundings, invocation.settings(), invocation.job());
            around.ifPresent(made -> check(made).requireProgram());
        }
        return around.map(made -> made.told(run.variables()));
    }

    private CommandCheck check(JobSurroundings ofJob) {
        return ofJob.surroundings().check(invocation.job(), site);
    }

    private RunSettings runSettings(NodePlan planned, Surroundings ofRun, RunCount count, Instant begin) {
        Settings settings = site.settings();
        ConsolePrefix prefix = ConsolePrefix.of(
                settings.text(OptionTable.PREFIX).orElseThrow(), planned.plan().name(), site.node());
        String name = count.run() == 1 ? site.jobId() : count.run() + " of " + site.jobId();
        return RunSettings.builder(name, begin, Path.of(site.places().logDirectory()))
                .grace(settings.duration(OptionTable.GRACE))
                .inputTimeout(settings.duration(OptionTable.INPUT_TIMEOUT))
                .progress(settings.duration(OptionTable.PROGRESS))
                .prefix(prefix::of)
                .environment(ofRun.world().environment().variables())
                .secrets(settings.secrets(), invocation.job())
                .others(new Others(link, stopsAlone(site), site.link().staysFor(), meeting.host()))
                .identity(identity(planned), names)
                .again(count.run() > 1)
                .node(where(planned))
                .faults(surroundings.world().faults().stream()
                        .filter(fault -> fault.isIn(count.run()))
                        .toList())
                .build();
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

    /** The same in all runs of the part. */
    private RunIdentity identity(NodePlan planned) {
        String part = NodeRun.part(planned.plan().name(), Telling.nodeName(site));
        if (identity.filter(drawn -> drawn.part().equals(part)).isEmpty()) {
            String host = site.node().machine().hostName();
            identity = Optional.of(RunIdentity.draw(
                    site.jobId(), part, surroundings.world().pid(), host, startedAt));
        }
        return identity.get();
    }

    /** Whether a signal to this launcher stops its node only. */
    static boolean stopsAlone(Site site) {
        return site.settings().text(OptionTable.STOP).orElseThrow().equals("node");
    }
}
