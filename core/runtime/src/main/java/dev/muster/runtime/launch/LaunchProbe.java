package dev.muster.runtime.launch;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
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
import java.util.function.Supplier;

/** What a launch would find here before it starts anything, with all that it would warn of or refuse. Writes and starts nothing. */
public final class LaunchProbe {

    private final LaunchContext context;
    private final DoctorRequest request;
    private final List<Input.Program> programs = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<MusterException> refusals = new ArrayList<>();

    public LaunchProbe(LaunchContext context, DoctorRequest request) {
        this.context = context;
        this.request = request;
    }

    /**
     * What was found.
     *
     * @param environment of the job: the caller's, or an activated one
     * @param plan of this node; empty: it is refused, or no engine is chosen
     * @param programs that the engine asks for
     * @param warnings what a launch would say
     * @param refusals why it would end at once
     */
    public record Result(
            Site site,
            Environment environment,
            Optional<LaunchPlan> plan,
            List<Input.Program> programs,
            List<String> warnings,
            List<MusterException> refusals) {}

    /** Looks; to be called once. */
    public Result look() {
        Settings settings = request.settings();
        Site site =
                context.site(settings, request.job().map(job -> job.engine().descriptor()), request.platforms(), false);
        warnings.addAll(settings.warnings());
        warnings.addAll(site.warnings());
        site.refusal().ifPresent(refusals::add);
        JobContext around = told(() -> JobContext.of(context, settings, request.commandOrUsual())
                        .orElseThrow(StoppedException::new))
                .orElseGet(() -> new JobContext(context, Optional.empty()));
        if (!request.command().isEmpty()) {
            told(() -> around.context().requireProgram(request.command(), site.places()));
        }
        // A platform that is not understood has no job of which a plan could be made.
        Optional<LaunchPlan> plan = request.job()
                .filter(job -> site.refusal().isEmpty())
                .flatMap(job -> told(() -> plan(job, site, around)));
        return new Result(site, around.context().processInfo().environment(), plan, programs, warnings, refusals);
    }

    private LaunchPlan plan(Invocation job, Site site, JobContext around) {
        RunCount run = Restarts.first(site.settings());
        Planning planning = around.told(run.variables()).planning(job, site, run, Optional.empty(), what -> {});
        programs.addAll(planning.programs());
        NodePlan planned =
                planning.thisNode(PlanCommand.deadline(job.settings())).orElseThrow(StoppedException::new);
        LaunchPlan made = planned.plan();
        made.notes().stream().filter(Note::isWarning).map(Note::text).forEach(warnings::add);
        String engine = job.engine().descriptor().id();
        LinkDecider decider = new LinkDecider(site, engine, context.processInfo(), warnings::add);
        Optional<LauncherNodes> launchers = planning.launchers(planned.node()).or(made::launchers);
        told(() -> decider.decide(launchers, made.nodes()))
                .flatMap(LinkDecider.Decision::note)
                .ifPresent(warnings::add);
        told(() -> PlanRun.requireRoom(made));
        made.ports().stream()
                .flatMap(port -> PortClaims.obstacle(port).stream())
                .map(MusterException::configuration)
                .forEach(refusals::add);
        return made;
    }

    private void told(Runnable check) {
        told(() -> {
            check.run();
            return true;
        });
    }

    /** What is told; empty where it is refused. */
    private <T> Optional<T> told(Supplier<T> part) {
        try {
            return Optional.of(part.get());
        } catch (MusterException refused) {
            refusals.add(refused);
            return Optional.empty();
        }
    }
}
