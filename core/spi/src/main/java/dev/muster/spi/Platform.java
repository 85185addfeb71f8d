package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster, a scheduler or a cloud that starts launchers on the nodes of a job. An implementation is pure, as an engine is: it uses
 * only the evidence. {@link java.util.ServiceLoader} finds implementations; they need a public constructor without
 * parameters. The runtime asks the platforms of plugins before Muster's own.
 *
 * @since 0.2
 */
@Stability(stable = false)
public interface Platform {

    /** The name that users give to {@code --platform}. */
    String name();

    /** The name for people. */
    String title();

    /** All variables that it reads: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. A simulation hides them from its nodes. */
    List<String> variables();

    /** The sign that this launcher runs on the platform, for people; empty: it does not. Never throws. */
    Optional<String> sign(Evidence evidence);

    /**
     * What the platform tells this launcher. Called only if {@link #sign} is present, or if the user names the platform.
     *
     * @throws PlanException when the platform can tell nothing
     */
    PlatformInfo read(Evidence evidence) throws PlanException;

    /**
     * The variables that it gives to a node of a simulated cluster. Empty, the default: the platform cannot be simulated. The nodes share
     * a machine, and get {@code --hosts} from the simulation.
     */
    default Map<String, String> simulation(SimulatedCluster cluster, SimulatedCluster.SimulatedNode node) {
        return Map.of();
    }
}
