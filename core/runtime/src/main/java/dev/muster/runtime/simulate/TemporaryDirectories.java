package dev.muster.runtime.simulate;

import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import java.nio.file.Path;
import java.util.List;

/** Directories of a simulation that do not outlive it. */
final class TemporaryDirectories implements AutoCloseable {

    private final List<Path> directories;

    private TemporaryDirectories(List<Path> directories) {
        this.directories = directories;
    }

    /** What the nodes' provisions ask for. */
    static TemporaryDirectories of(List<VirtualNode> nodes) {
        return new TemporaryDirectories(nodes.stream()
                .flatMap(node -> node.provision().temporaryDirectories().stream())
                .distinct()
                .map(Path::of)
                .toList());
    }

    void make() throws FileException {
        for (Path directory : directories) {
            Directories.make(directory);
        }
    }

    @Override
    public void close() {
        directories.forEach(Directories::remove);
    }
}
