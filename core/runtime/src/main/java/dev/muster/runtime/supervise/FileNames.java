package dev.muster.runtime.supervise;

import dev.muster.runtime.files.LogDirectory;
import dev.muster.runtime.files.LogNameLock;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LaunchPlan;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names of a launcher's logs and results. It has them from its first run to its end, also while none of its processes runs; when
 * another launcher has those that the plan gives, its own have the run's id in them.
 */
public final class FileNames implements AutoCloseable {

    private @Nullable RunIdentity identity;
    private @Nullable LogNameLock claim;

    /**
     * The plan, with names of this launcher's own when another one has those that the plan gives its logs.
     *
     * @param logs where they are
     * @param mine who this launcher is, until it has run once
     * @param warn told about other launchers
     */
    LaunchPlan in(LaunchPlan plan, LogDirectory logs, RunIdentity mine, Consumer<String> warn) {
        if (identity == null || !identity.stem().equals(mine.stem())) {
            close();
            identity = mine;
            claim(logs.path(), mine, warn);
        }
        return ownId().map(id -> OwnNames.in(plan, logs.path(), id)).orElse(plan);
    }

    /** What the names end with, where they are not the usual ones. */
    public Optional<String> ownId() {
        return claim == null || identity == null || claim.other().isEmpty()
                ? Optional.empty()
                : Optional.of(identity.run());
    }

    private void claim(Path directory, RunIdentity mine, Consumer<String> warn) {
        claim = LogNameLock.make(directory, mine.stem(), mine.describe());
        claim.other()
                .map(words -> words.isBlank() ? "a run that has just begun" : words)
                .ifPresent(other -> warn.accept("another launcher of job " + mine.job() + " (" + mine.part()
                        + ") is writing to " + Printable.escape(directory.toString()) + ": " + other
                        + ". The logs and the result of this " + mine.describe() + " have its id in their names, as in "
                        + OwnNames.of(mine.stem() + "-result.json", mine.run())));
    }

    @Override
    public void close() {
        if (claim != null) {
            claim.close();
            claim = null;
        }
        identity = null;
    }
}
