package dev.muster.runtime.launch;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.platform.SimulatedHosts;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.spi.Input;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Finds what a launch would see here, warn of and refuse. It writes and starts nothing. */
public final class LaunchProbe {

    private final LaunchContext context;
    private final DoctorRequest request;
    private final List<Input.Program> programs = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<MusterException> refusals = new ArrayList<>();
    private Optional<LinkSettings> link = Optional.empty();

    public LaunchProbe(LaunchContext context, DoctorRequest request) {
        this.context = context;
        this.request = request;
    }

    /**
     * What the probe found.
     *
     * @param environment of the job: the caller's, or an activated one
     * @param plan of this node; empty: the plan is refused, or no engine is chosen
     * @param programs that the engine asks for
     * @param warnings that a launch would print
     * @param refusals why a launch would end at once
     * @param link settings with which the nodes of the job can connect now
     */
    public record Result(
            ResolvedJob resolved,
            Environment environment,
            Optional<LaunchPlan> plan,
            List<Input.Program> programs,
            List<String> warnings,
            List<MusterException> refusals,
            Optional<LinkSettings> link) {}

    /** Looks; to be called once. */
    public Result probe() {
        Settings settings = request.settings();
        ResolvedJob resolved = context.resolve(
                settings, request.job().map(job -> job.engine().descriptor()), request.platforms(), false);
        warnings.addAll(settings.warnings());
        warnings.addAll(resolved.warnings());
        resolved.refusal().ifPresent(refusals::add);
        JobContext jobContext = keepRefusal(() -> JobContext.of(context, settings, request.commandOrUsual())
                        .orElseThrow(StoppedException::new))
                .orElseGet(() -> new JobContext(context, Optional.empty()));
        if (!request.command().isEmpty()) {
            keepRefusal(() -> jobContext.context().requireProgram(request.command(), resolved.places()));
        }
        // Without a known job there is no plan.
        Optional<LaunchPlan> plan = request.job()
                .filter(job -> resolved.refusal().isEmpty())
                .flatMap(job -> keepRefusal(() -> plan(job, resolved, jobContext)));
        return new Result(
                resolved, jobContext.context().processInfo().environment(), plan, programs, warnings, refusals, link);
    }

    private LaunchPlan plan(Invocation job, ResolvedJob resolved, JobContext jobContext) {
        RunCount run = Restarts.first(resolved.settings());
        Planning planning =
                new Planning(jobContext.with(run.variables()), job, resolved, run, Optional.empty(), what -> {});
        programs.addAll(planning.programs());
        // Nodes that are known already can connect even if the plan is refused.
        Optional<LauncherNodes> known = planning.launchers(resolved.node());
        known.ifPresent(launchers -> decide(job, resolved, known, OptionalInt.empty()));
        NodePlan planned =
                planning.planThisNode(PlanCommand.deadline(job.settings())).orElseThrow(StoppedException::new);
        LaunchPlan made = planned.plan();
        made.notes().stream().filter(Note::isWarning).map(Note::text).forEach(warnings::add);
        if (known.isEmpty()) {
            decide(job, resolved, planning.launchers(planned.node()).or(made::launchers), made.nodes());
        }
        keepRefusal(() -> PlanRun.requireRoom(made));
        made.ports().stream()
                .flatMap(port -> PortClaims.obstacle(port).stream())
                .map(MusterException::configuration)
                .forEach(refusals::add);
        return made;
    }

    private void decide(Invocation job, ResolvedJob resolved, Optional<LauncherNodes> launchers, OptionalInt nodes) {
        LinkDecider decider =
                new LinkDecider(resolved, job.engine().descriptor().id(), context.processInfo(), warnings::add);
        Environment environment = context.processInfo().environment();
        Optional<LauncherNodes> reachable = launchers.map(all -> SimulatedHosts.reachable(all, environment));
        Optional<LinkDecider.Decision> decision = keepRefusal(() -> decider.decide(reachable, nodes));
        decision.flatMap(LinkDecider.Decision::note).ifPresent(warnings::add);
        link = decision.flatMap(LinkDecider.Decision::settings)
                .filter(settings -> !settings.key().isAwaited());
    }

    private void keepRefusal(Runnable check) {
        keepRefusal(() -> {
            check.run();
            return true;
        });
    }

    /** The value; empty when a check refuses it. */
    private <T> Optional<T> keepRefusal(Supplier<T> part) {
        try {
            return Optional.of(part.get());
        } catch (MusterException refused) {
            refusals.add(refused);
            return Optional.empty();
        }
    }
}
