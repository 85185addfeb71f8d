package dev.muster.runtime.supervise;

import dev.muster.runtime.files.LogNameLock;
import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the logs and results of a launcher go, from its first run to its end: a directory of its own below the usual one, when another
 * launcher writes the same files there.
 */
public final class LogDirectoryClaim implements AutoCloseable {

    private @Nullable RunIdentity identity;
    private @Nullable LogNameLock claim;

    /**
     * Claims the usual directory, unless that was done before.
     *
     * @param mine who this launcher is
     * @param warn told about other launchers
     * @return where the logs go
     */
    Path claim(Path usual, RunIdentity mine, Consumer<String> warn) {
        if (identity == null || !identity.stem().equals(mine.stem())) {
            close();
            identity = mine;
            claim = LogNameLock.make(usual, mine.stem(), mine.describe());
            claim.other()
                    .map(words -> words.isBlank() ? "a run that has just begun" : words)
                    .ifPresent(other -> warn.accept("another launcher of job " + mine.job() + " (" + mine.part()
                            + ") is writing to " + Printable.escape(usual.toString()) + ": " + other
                            + ". The logs and the result of this " + mine.describe() + " are in "
                            + Printable.escape(in(usual).toString())));
        }
        return in(usual);
    }

    /** Where they are, when the usual place is this one. */
    public Path in(Path usual) {
        return claim == null || identity == null || claim.other().isEmpty() ? usual : usual.resolve(identity.run());
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
