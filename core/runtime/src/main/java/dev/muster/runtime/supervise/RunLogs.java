package dev.muster.runtime.supervise;

import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.LogDirectory;
import dev.muster.spi.LaunchPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the logs of a run go. Logs are a help, not a condition: a job on paid accelerators does not fail for want of them. */
final class RunLogs {

    private final RunSettings settings;
    private final Optional<LogDirectory> place;
    private final Consumer<String> warn;

    private RunLogs(RunSettings settings, Optional<LogDirectory> place, Consumer<String> warn) {
        this.settings = settings;
        this.place = place;
        this.warn = warn;
    }

    /** Makes the directory where it is missing. */
    static RunLogs open(RunSettings settings, Consumer<String> warn) {
        return new RunLogs(settings, place(settings.logDirectory(), warn), warn);
    }

    private static Optional<LogDirectory> place(Path directory, Consumer<String> warn) {
        LogDirectory place;
        try {
            place = LogDirectory.make(directory);
        } catch (FileException refused) {
            warn.accept("no log files: " + refused.getMessage() + "; output goes to the console only");
            return Optional.empty();
        }
        place.warning().ifPresent(warn);
        if (!Files.isWritable(place.path())) {
            warn.accept("no log files: " + directory + " cannot be written; output goes to the console only");
            return Optional.empty();
        }
        return Optional.of(place);
    }

    /** The plan, with names of logs that no other launcher writes. */
    LaunchPlan named(LaunchPlan plan) {
        return place.flatMap(logs -> settings.identity()
                        .flatMap(mine -> settings.names().map(names -> names.in(plan, logs, mine, warn))))
                .orElse(plan);
    }

    /** As users know it; empty: there are none. */
    Optional<Path> directory() {
        return place.map(LogDirectory::path);
    }
}
