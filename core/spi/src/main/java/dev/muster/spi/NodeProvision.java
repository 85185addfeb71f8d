package dev.muster.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a simulated cluster offers to one node because an engine needs it.
 *
 * @param environment variables of the node's container
 * @param files texts by the absolute paths of their files, below the node's directory; written as UTF-8; with {@code --late} they
 *     appear later, or in two halves
 * @param temporaryDirectories absolute paths below a node's directory. The simulation makes them before the nodes start, and removes
 *     them with their content when all nodes have ended. So no secret stays, even if a node's launcher is killed
 * @param ranks what {@code muster simulate --fail rank=NAME} may kill on the node: the numbers of its ranks, or the ids of processes
 *     without a rank
 * @since 0.1
 */
@Stability(stable = false)
public record NodeProvision(
        SortedMap<String, String> environment,
        SortedMap<String, String> files,
        List<String> temporaryDirectories,
        List<String> ranks) {

    public static final NodeProvision NOTHING = of(Map.of());

    public NodeProvision {
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        temporaryDirectories = List.copyOf(temporaryDirectories);
        ranks = List.copyOf(ranks);
    }

    /** A provision of these variables only. */
    public static NodeProvision of(Map<String, String> environment) {
        return new NodeProvision(new TreeMap<>(environment), new TreeMap<>(), List.of(), List.of());
    }

    /** The same with these files. */
    public NodeProvision withFiles(Map<String, String> texts) {
        return new NodeProvision(environment, new TreeMap<>(texts), temporaryDirectories, ranks);
    }

    /** The same with these directories, which the simulation removes when all nodes have ended. */
    public NodeProvision withTemporaryDirectories(List<String> paths) {
        return new NodeProvision(environment, files, paths, ranks);
    }

    /** The same on a node with these ranks. */
    public NodeProvision withRanks(List<String> names) {
        return new NodeProvision(environment, files, temporaryDirectories, names);
    }
}
