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
 * @param files in the node's own directory
 * @param temporaryDirectories absolute paths below a node's directory: made before the nodes start, and removed with what is in
 *     them when all have ended, so that nothing secret stays there even when a node's launcher is killed
 * @since 0.1
 */
public record NodeProvision(
        SortedMap<String, String> environment, List<ProvidedFile> files, List<String> temporaryDirectories) {

    public static final NodeProvision NOTHING = builder().build();

    public NodeProvision {
        environment = Sorted.map(environment);
        files = List.copyOf(files);
        temporaryDirectories = List.copyOf(temporaryDirectories);
    }

    /**
     * A file that the cluster writes, perhaps late or in two halves ({@code --late}, {@code --half-written}).
     *
     * @param path absolute, below the node's directory
     * @param content written as UTF-8
     */
    public record ProvidedFile(String path, String content) {}

    /** Nothing, until the builder hears otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /** Puts together what a node is offered; all grows with each call. */
    public static final class Builder {

        private final SortedMap<String, String> environment = new TreeMap<>();
        private final List<ProvidedFile> files = new ArrayList<>();
        private final List<String> temporaryDirectories = new ArrayList<>();

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
            files.add(new ProvidedFile(path, content));
            return this;
        }

        /** A directory that vanishes when all nodes have ended. */
        public Builder temporaryDirectory(String path) {
            temporaryDirectories.add(path);
            return this;
        }

        public NodeProvision build() {
            return new NodeProvision(environment, files, temporaryDirectories);
        }
    }
}
