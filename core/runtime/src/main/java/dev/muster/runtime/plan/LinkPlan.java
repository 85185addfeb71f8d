package dev.muster.runtime.plan;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How a node's launcher would connect to the launchers of the other nodes.
 *
 * @param mode {@code auto}, {@code required} or {@code off}
 * @param origin who chose this mode
 * @param why there is no link; empty: there is one
 * @param rendezvous empty: there is no link
 */
public record LinkPlan(String mode, String origin, Optional<String> why, Optional<Rendezvous> rendezvous) {

    /**
     * Where and how the launchers meet.
     *
     * @param own this launcher's name
     * @param leader the leader's name
     * @param leaderHost the leader's host; empty: unknown
     * @param ports on which the leader may listen: it takes the first that is free
     * @param portsOrigin who chose them
     * @param key where the key comes from; never the key itself
     * @param required whether the job fails without the link
     * @param equal this node's values that must be the same on all nodes
     */
    public record Rendezvous(
            String own,
            String leader,
            Optional<String> leaderHost,
            List<Integer> ports,
            String portsOrigin,
            String key,
            boolean required,
            SortedMap<String, String> equal) {}
}
