package dev.muster.runtime.supervise;

import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds where the logs of a run go. Logs are a help, not a condition: a job on paid accelerators does not fail for want of them. */
final class RunLogs {

    private RunLogs() {}

    /** Makes the directory where it is missing. Empty: there are no logs. */
    static Optional<Path> directory(RunSettings settings, Consumer<String> warn) {
        Optional<Path> usual = make(settings.output().logDirectory(), warn);
        if (usual.isEmpty() || settings.owner().isEmpty()) {
            return usual;
        }
        RunSettings.Owner owner = settings.owner().get();
        Path own = owner.logs().claim(usual.get(), owner.identity(), warn);
        return own.equals(usual.get()) ? usual : make(own, warn);
    }

    private static Optional<Path> make(Path directory, Consumer<String> warn) {
        try {
            Directories.makeShared(directory);
        } catch (FileException refused) {
            warn.accept("no log files: " + refused.getMessage() + "; output goes to the console only");
            return Optional.empty();
        }
        if (!Files.isWritable(directory)) {
            warn.accept("no log files: " + directory + " cannot be written; output goes to the console only");
            return Optional.empty();
        }
        return Optional.of(directory);
    }
}
