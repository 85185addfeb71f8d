package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.plan.ActivatedEnvironment;
import dev.muster.runtime.plan.LinkPlan;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.plan.PlanDocument;
import dev.muster.runtime.plan.PlanReport;
import dev.muster.runtime.plan.PlanText;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@code muster plan}: shows what would be done. Writes and starts nothing. */
public record PlanCommand(LaunchContext context) {

    private static final String JOB_ID_TO_BE_MADE = "muster-TIME-PID";

    @Inject
    public PlanCommand {}

    /** @return the launcher's exit code */
    public int run(Invocation invocation) {
        Settings given = invocation.settings();
        ResolvedJob resolved = withStableJobId(context.resolve(invocation));
        Optional<JobContext> jobContext = JobContext.of(context, given, invocation.job());
        if (jobContext.isEmpty()) {
            return stopped();
        }
        warnIfMissing(jobContext.get().context(), invocation, resolved);
        RunCount run = Restarts.first(resolved.settings());
        Planning planning = new Planning(
                jobContext.get().with(run.variables()), invocation, resolved, run, Optional.empty(), what -> {});
        Optional<List<NodePlan>> plans = given.isOn(OptionTable.ALL_NODES)
                ? planning.planAllNodes(deadline(given))
                : planning.planThisNode(deadline(given)).map(List::of);
        if (plans.isEmpty()) {
            return stopped();
        }
        List<NodePlan> shown = shown(invocation, resolved, plans.get(), planning);
        return print(invocation, resolved, shown, jobContext.get().activated());
    }

    /** {@code muster plan} waits for inputs only if the user says so. */
    static Duration deadline(Settings given) {
        return given.given(OptionTable.INPUT_TIMEOUT).isPresent()
                ? given.duration(OptionTable.INPUT_TIMEOUT)
                : Duration.ZERO;
    }

    private List<NodePlan> shown(Invocation invocation, ResolvedJob resolved, List<NodePlan> plans, Planning planning) {
        String engine = invocation.engine().descriptor().id();
        LinkDecider decider = new LinkDecider(resolved, engine, context.processInfo(), context.console()::warn);
        List<NodePlan> shown = Planning.lazyList(plans, plan -> withLink(plan, planning, decider, resolved, engine));
        if (shown.size() == 1) {
            return List.of(shown.get(0));
        }
        // Plans each node once before printing: if one node cannot be planned, nothing is printed. The list makes each
        // plan again for printing, since all plans may not fit into memory.
        shown.forEach(plan -> {});
        return shown;
    }

    private int stopped() {
        return ExitCode.ofSignal(context.signals().stopRequest().orElseThrow().number());
    }

    /** A placeholder for the id that a launch makes from time and pid. Equal plans must be equal bytes. */
    private static ResolvedJob withStableJobId(ResolvedJob resolved) {
        if (resolved.settings().given(OptionTable.JOB_ID).isPresent()) {
            return resolved;
        }
        Setting placeholder = Setting.ofDefault(OptionTable.JOB_ID, JOB_ID_TO_BE_MADE);
        return resolved.withJobId(placeholder.value(), resolved.settings().with(List.of(placeholder)));
    }

    /** The program may be missing where the user plans, so this is a warning only. */
    private static void warnIfMissing(LaunchContext ofJob, Invocation invocation, ResolvedJob resolved) {
        try {
            ofJob.requireProgram(invocation.job(), resolved.places());
        } catch (MusterException missing) {
            ofJob.console().warn(String.valueOf(missing.getMessage()));
        }
    }

    private static int print(
            Invocation invocation,
            ResolvedJob resolved,
            List<NodePlan> plans,
            Optional<ActivatedEnvironment> activated) {
        Settings settings = resolved.settings();
        Secrets secrets = settings.secrets();
        PlanReport report = new PlanReport(
                invocation.engine().descriptor().id(),
                resolved.platform().explanation(),
                settings.duration(OptionTable.GRACE),
                plans,
                settings.shown(UnaryOperator.identity()),
                activated);
        try {
            if (settings.text(OptionTable.FORMAT).orElseThrow().equals("json")) {
                PlanDocument.write(report, secrets, PlanCommand::out);
            } else {
                PlanText.write(report, secrets, PlanCommand::out);
            }
            return 0;
        } catch (UncheckedIOException closed) {
            return ExitCode.UNAVAILABLE.code();
        }
    }

    private static void out(String text) {
        if (!StandardOutput.write(text)) {
            throw new UncheckedIOException(new IOException("nobody reads the standard output"));
        }
    }

    /** The plan, with what it shows of the link. */
    private static NodePlan withLink(
            NodePlan planned, Planning planning, LinkDecider decider, ResolvedJob resolved, String engine) {
        Optional<LauncherNodes> launchers = planning.launchers(planned.node()).or(planned.plan()::launchers);
        LinkDecider.Decision decision = decider.decide(launchers, planned.plan().nodes());
        Setting mode = resolved.settings().find(OptionTable.LINK).orElseThrow();
        boolean isAlone = decision.settings().isEmpty() && decision.why().isEmpty();
        return isAlone
                ? planned
                : new NodePlan(
                        planned.job(),
                        planned.node(),
                        planned.plan(),
                        Optional.of(new LinkPlan(
                                mode.value(),
                                mode.origin(),
                                decision.why(),
                                decision.settings().map(settings -> rendezvous(settings, planned, resolved, engine)))));
    }

    private static LinkPlan.Rendezvous rendezvous(
            LinkSettings settings, NodePlan planned, ResolvedJob resolved, String engine) {
        LauncherNodes launchers = settings.launchers();
        return new LinkPlan.Rendezvous(
                launchers.own(),
                launchers.leader(),
                launchers.leading().host().map(PlanCommand::place),
                settings.ports(),
                resolved.settings()
                        .given(OptionTable.LINK_PORT)
                        .map(Setting::origin)
                        .orElse("of the job's id; the first that is free"),
                settings.key().origin(),
                settings.required(),
                PlanMessage.equal(planned.plan(), launchers, engine, resolved.settings()));
    }

    private static String place(Host host) {
        return host.name()
                + host.address()
                        .filter(address -> !address.equals(host.name()))
                        .map(address -> " (" + address + ")")
                        .orElse("");
    }
}
