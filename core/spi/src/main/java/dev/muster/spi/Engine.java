package dev.muster.spi;

import java.util.List;
import java.util.Optional;

/**
 * How one framework is started, for example with one process per Ascend card. {@link java.util.ServiceLoader} finds implementations;
 * they need a public constructor without parameters. An engine must be pure: it never starts, writes, reads, waits or logs, and uses
 * neither the clock nor {@link System}. The runtime has all effects.
 *
 * @since 0.1
 */
@Stability(stable = true)
public interface Engine {

    /** The engine's id, options and variables. Must always return an equal value. */
    EngineDescriptor descriptor();

    /**
     * The files and facts that {@link #plan} needs. The runtime waits for them, each with progress and a deadline.
     *
     * @throws PlanException when options or environment make a plan impossible, with any inputs
     */
    List<Input> inputs(JobSpec job, Node node) throws PlanException;

    /**
     * The plan of this node. The runtime calls it when all inputs are there. Equal requests give equal plans.
     *
     * @throws PlanException when no plan can be made; the runtime then starts nothing
     */
    LaunchPlan plan(PlanRequest request) throws PlanException;

    /**
     * The names of the job's launchers, and which of them leads the link. The runtime asks before it fetches inputs, so that a node can
     * tell the others that it waits for inputs or has no plan. Empty: the job has no link, or the nodes follow from inputs, so that
     * only {@link LaunchPlan#launchers} can name the launchers.
     *
     * @throws PlanException when options or environment make a plan impossible, with any inputs
     */
    default Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException {
        return LauncherNodes.ofNodes(node);
    }

    /**
     * What a simulated cluster must offer to each node for this engine: variables and files in addition to those of the
     * simulated platform. The default is nothing.
     *
     * @throws PlanException when the options of the simulation cannot be combined
     */
    default List<NodeProvision> simulation(SimulatedCluster cluster) throws PlanException {
        return cluster.nodes().stream().map(node -> NodeProvision.NOTHING).toList();
    }
}
