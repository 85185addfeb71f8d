package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.VerdictWriter;
import dev.muster.runtime.supervise.Others;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code muster --engine E -- COMMAND}: runs this node's part of a job. */
public final class LaunchCommand {

    private final Surroundings surroundings;
    private final PlanRun planRun;

    public LaunchCommand(Surroundings surroundings, PlanRun planRun) {
        this.surroundings = surroundings;
        this.planRun = planRun;
    }

    /**
     * Runs the job.
     *
     * @param codes which exit code a cause gives
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Instant startedAt = surroundings.clock().instant();
        Settings given = invocation.settings();
        Site site = surroundings.site(invocation);
        Optional<JobSurroundings> around = JobSurroundings.of(surroundings, given, invocation.job());
        if (around.isEmpty()) {
            return stoppedWhileWaiting(given);
        }
        Surroundings ofJob = around.get().surroundings();
        Environment environment = ofJob.world().environment();
        CommandCheck check = ofJob.check(invocation.job(), site);
        check.requireProgram();
        Optional<NodePlan> planned =
                around.get().planning(invocation, site).thisNode(given.duration(OptionTable.INPUT_TIMEOUT));
        if (planned.isEmpty()) {
            return stoppedWhileWaiting(given);
        }
        announce(invocation, site, planned.get(), around.get().line());
        check.hint(planned.get().plan())
                .ifPresent(hint -> surroundings.console().say("hint: " + hint));
        PlanRun.Result result = planRun.inheriting(Inheritance.of(environment))
                .run(planned.get().plan(), runSettings(site, planned.get(), environment, codes, startedAt));
        return new VerdictWriter(
                        surroundings.console()::say,
                        surroundings.console()::warn,
                        surroundings.clock(),
                        surroundings.terminationLog(given))
                .write(nodeRun(invocation, site, planned.get(), startedAt), result.verdict(), result.logs(), codes);
    }

    private int stoppedWhileWaiting(Settings given) {
        ReceivedSignal signal = surroundings.signals().stopRequest().orElseThrow();
        int code = ExitCode.ofSignal(signal.number());
        String line = "exit " + code + ": stopped by SIG" + signal.name() + "; nothing was started";
        surroundings.console().say(line);
        surroundings.terminationLog(given).write(List.of(line));
        return code;
    }

    private void announce(Invocation invocation, Site site, NodePlan planned, Optional<String> environment) {
        Node node = site.node();
        String position = planned.plan().name().map(name -> ", " + name).orElse("");
        position += node.knowsItsIndex() && position.isEmpty()
                ? ", node " + node.index().getAsInt() + " of " + node.count().getAsInt()
                : "";
        surroundings
                .console()
                .say("job " + site.jobId() + ": engine "
                        + invocation.engine().descriptor().id() + ", platform "
                        + site.platform().name() + " ("
                        + site.platform().explanation() + ")" + position);
        environment.ifPresent(surroundings.console()::say);
        for (Note note : planned.plan().notes()) {
            if (note.level() == Note.Level.WARNING) {
                surroundings.console().warn(note.text());
            } else {
                surroundings.console().say(note.text());
            }
        }
    }

    private static RunSettings runSettings(
            Site site, NodePlan planned, Environment environment, ExitCodes codes, Instant startedAt) {
        ConsolePrefix prefix = ConsolePrefix.of(
                site.settings().text(OptionTable.PREFIX).orElseThrow(),
                planned.plan().name(),
                site.node());
        return new RunSettings(
                site.jobId(),
                startedAt,
                site.settings().duration(OptionTable.GRACE),
                site.settings().duration(OptionTable.INPUT_TIMEOUT),
                Path.of(site.places().logDirectory()),
                prefix::of,
                environment.variables(),
                codes,
                secrets(site.settings()),
                Others.NONE);
    }

    static Secrets secrets(Settings settings) {
        return new Secrets(
                settings.all(OptionTable.MASK).stream().map(Setting::value).toList());
    }

    private static NodeRun nodeRun(Invocation invocation, Site site, NodePlan planned, Instant startedAt) {
        Node node = site.node();
        return new NodeRun(
                site.jobId(),
                invocation.engine().descriptor().id(),
                site.platform().name(),
                site.platform().explanation(),
                planned.plan().name(),
                NodeRun.nodeName(node.index(), node.name().map(name -> name.value())),
                node.index(),
                node.count(),
                Path.of(site.places().logDirectory()),
                site.run().map(run -> run.origin() + "=" + run.value()),
                startedAt);
    }
}
