package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What starts launchers on the nodes of a job: a cluster, a scheduler or a cloud. It is pure, as an engine is: all that
 * it knows is the evidence. Implementations are found by {@link
 * java.util.ServiceLoader}, and need a public constructor without parameters. Those of plugins are asked before Muster's own.
 *
 * @since 0.2
 */
@Stability(stable = false)
public interface Platform {

    /** What users give to {@code --platform}. */
    String name();

    /** What people call it. */
    String title();

    /** All variables that it reads: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. A simulation hides them. */
    List<String> variables();

    /** By what it is recognised here; empty: we are not on it. To look for it never fails. */
    Optional<String> sign(Evidence evidence);

    /**
     * What it tells here. Asked only of the platform that we are on, or that the user names.
     *
     * @throws PlanException when nothing can be told
     */
    PlatformInfo read(Evidence evidence) throws PlanException;

    /**
     * The variables that it would give to a node of a simulated cluster; none, the default: it cannot be simulated. The nodes share a
     * machine, and get {@code --hosts} from the simulation.
     */
    default Map<String, String> simulation(SimulatedCluster cluster, SimulatedCluster.SimulatedNode node) {
        return Map.of();
    }
}
