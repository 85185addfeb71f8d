package dev.muster.runtime.plan;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How the launcher of a node would meet those of the other nodes.
 *
 * @param mode {@code auto}, {@code required} or {@code off}
 * @param origin who wants that mode
 * @param why there is no link; empty: there is one
 * @param rendezvous empty: there is no link
 */
public record LinkPlan(String mode, String origin, Optional<String> why, Optional<Rendezvous> rendezvous) {

    /**
     * Where and how.
     *
     * @param own what this launcher is called
     * @param leader what the leading one is called
     * @param leaderHost where that one is; empty: nobody says
     * @param ports on which the leader listens: the first that is free
     * @param portsOrigin who chose them
     * @param key where it comes from; never the key itself
     * @param required whether the job fails without the link
     * @param equal what must be the same on all nodes, and is here
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
