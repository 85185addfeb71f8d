package dev.muster.spi;

import java.util.List;
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

    public static final NodeProvision NOTHING = new NodeProvision(new TreeMap<>(), List.of());

    public NodeProvision {
        environment = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        files = List.copyOf(files);
        temporaryDirectories = List.copyOf(temporaryDirectories);
    }

    /** Nothing that has to vanish. */
    public NodeProvision(SortedMap<String, String> environment, List<ProvidedFile> files) {
        this(environment, files, List.of());
    }

    /**
     * A file that the cluster writes, perhaps late or in two halves ({@code --late}, {@code --half-written}).
     *
     * @param path absolute, below the node's directory
     * @param content written as UTF-8
     */
    public record ProvidedFile(String path, String content) {}
}
