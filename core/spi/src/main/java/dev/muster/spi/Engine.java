package dev.muster.spi;

import java.util.List;
import java.util.Optional;

/**
 * How one framework is booted, for example one process per Ascend card. Implementations are found by {@link
 * java.util.ServiceLoader}, need a public constructor without parameters and must be pure: they never start, write, read,
 * wait, log, look at the clock or at {@link System}. All effects are the runtime's.
 *
 * @since 0.1
 */
@Stability(stable = true)
public interface Engine {

    /** Who this engine is and which options and variables it knows. Must always return an equal value. */
    EngineDescriptor descriptor();

    /**
     * The files and facts that {@link #plan} needs. The runtime waits for them, each with progress and a deadline.
     *
     * @throws PlanException when options or environment make a plan impossible whatever the inputs say
     */
    List<Input> inputs(JobSpec job, Node node) throws PlanException;

    /**
     * The plan of this node. Called once all inputs are there; equal requests give equal plans.
     *
     * @throws PlanException when no plan can be made; nothing has been started then
     */
    LaunchPlan plan(PlanRequest request) throws PlanException;

    /**
     * Who leads the link between the launchers of the job, and what each of them is called. Asked before the inputs, so that a
     * node that waits for them, or cannot make a plan, tells the others. Empty: the job has no link, or only its plan knows
     * ({@link LaunchPlan#launchers}), because inputs tell which nodes there are.
     *
     * @throws PlanException when options or environment make a plan impossible whatever the inputs say
     */
    default Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException {
        return LauncherNodes.ofNodes(node);
    }

    /**
     * What the cluster of a simulation must offer to each node for this engine: variables and files, beside those that the
     * simulated platform itself provides. The default is nothing.
     *
     * @throws PlanException when the options of the simulation cannot be combined
     */
    default List<NodeProvision> simulation(SimulatedCluster cluster) throws PlanException {
        return cluster.nodes().stream().map(node -> NodeProvision.NOTHING).toList();
    }
}
