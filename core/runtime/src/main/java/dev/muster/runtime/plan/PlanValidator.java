package dev.muster.runtime.plan;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.RequiredPort;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Checks a plan of any engine before the launcher creates or starts anything. One message tells all problems. */
public final class PlanValidator {

    private PlanValidator() {}

    /**
     * Returns when the plan can be carried out.
     *
     * @param engine the engine's id
     * @param job the job the plan was made for
     * @throws MusterException with code 70 when the engine made an invalid plan, with 78 when the environment or the command of
     *     the user exceeds what Linux can pass on
     */
    public static void validate(String engine, JobSpec job, LaunchPlan plan) {
        Problems problems = new Problems();
        new PlaceRules(job.places(), problems).check(plan);
        checkNode(plan, problems);
        new ProcessRules(plan, problems).check();
        new ReferenceRules(plan, problems).check();
        new SizeRules(job.environment(), problems).check(plan);
        problems.throwIfAny(engine);
    }

    /**
     * Returns when the launchers of the job can do what a plan expects of them.
     *
     * @param engine the engine's id
     * @param launchers of the job; empty: there are no others
     * @throws MusterException with code 70 when the engine made an invalid plan
     */
    public static void validateTogether(String engine, Optional<LauncherNodes> launchers, LaunchPlan plan) {
        Problems problems = new Problems();
        new ReferenceRules(plan, problems).checkOthers(launchers);
        problems.throwIfAny(engine);
    }

    /**
     * Returns when the plan keeps the rules R3 and R4 of engines, as far as one node can tell.
     *
     * @param isAlone whether the job has no other node
     * @param inputs of the engine
     * @throws MusterException with code 70 when it does not
     */
    public static void validateRanks(
            EngineDescriptor engine, boolean isAlone, Collection<InputValue> inputs, LaunchPlan plan) {
        Problems problems = new Problems();
        new RankRules(engine, isAlone, inputs, problems).check(plan);
        problems.throwIfAny(engine.id());
    }

    /** Checks the plan's name and its ports. */
    private static void checkNode(LaunchPlan plan, Problems problems) {
        plan.name()
                .ifPresent(name -> problems.require(
                        SafeName.matches(name),
                        "the plan has the name " + Printable.quote(name)
                                + ", which becomes part of file names; allowed: " + SafeName.FORM));
        Set<Integer> taken = new HashSet<>();
        for (RequiredPort port : plan.ports()) {
            String what = "port " + port.port() + " for " + Printable.quote(port.purpose());
            problems.require(
                    port.port() >= 1 && port.port() <= OptionTable.HIGHEST_PORT,
                    what + " is none of 1.." + OptionTable.HIGHEST_PORT);
            problems.require(taken.add(port.port()), what + " is used for something else too");
            problems.require(!port.purpose().isBlank(), "port " + port.port() + " has no purpose");
        }
    }
}
