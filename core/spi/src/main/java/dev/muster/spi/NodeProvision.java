package dev.muster.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a simulated cluster offers to one node on behalf of an engine.
 *
 * @param environment variables of the node's container
 * @param files texts by the absolute paths of their files, below the node's directory; written as UTF-8, perhaps late or in two halves
 *     ({@code --late})
 * @param temporaryDirectories absolute paths below a node's directory: made before the nodes start, and removed with what is in
 *     them when all have ended, so that nothing secret stays there even when a node's launcher is killed
 * @param ranks what {@code muster simulate --fail rank=NAME} may kill on the node: the numbers of its ranks, or the ids of processes
 *     without one
 * @since 0.1
 */
@Experimental
public record NodeProvision(
        SortedMap<String, String> environment,
        SortedMap<String, String> files,
        List<String> temporaryDirectories,
        List<String> ranks) {

    public static final NodeProvision NOTHING = builder().build();

    public NodeProvision {
        environment = Sorted.map(environment);
        files = Sorted.map(files);
        temporaryDirectories = List.copyOf(temporaryDirectories);
        ranks = List.copyOf(ranks);
    }

    /** The same on a node with these ranks. */
    public NodeProvision withRanks(List<String> names) {
        return new NodeProvision(environment, files, temporaryDirectories, names);
    }

    /** Nothing, until the builder hears otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /** Puts together what a node is offered; all grows with each call. */
    public static final class Builder {

        private final SortedMap<String, String> environment = new TreeMap<>();
        private final SortedMap<String, String> files = new TreeMap<>();
        private final List<String> temporaryDirectories = new ArrayList<>();
        private final List<String> ranks = new ArrayList<>();

        private Builder() {}

        public Builder variable(String name, String value) {
            environment.put(name, value);
            return this;
        }

        public Builder environment(Map<String, String> variables) {
            environment.putAll(variables);
            return this;
        }

        /** A file below the node's directory. */
        public Builder file(String path, String content) {
            files.put(path, content);
            return this;
        }

        /** A directory that vanishes when all nodes have ended. */
        public Builder temporaryDirectory(String path) {
            temporaryDirectories.add(path);
            return this;
        }

        /** A rank that runs on the node, by its number. */
        public Builder rank(int number) {
            ranks.add(Integer.toString(number));
            return this;
        }

        public NodeProvision build() {
            return new NodeProvision(environment, files, temporaryDirectories, ranks);
        }
    }
}
