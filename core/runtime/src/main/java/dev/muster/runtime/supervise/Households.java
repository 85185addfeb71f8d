package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.LaunchPlan;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The household of a launcher's run, and between two runs that of its kept services. */
final class Households {

    /** After SIGKILL at the latest, until the end is known. */
    private static final Duration ENDING = Duration.ofSeconds(1);

    private final RunDirectory directory;
    private @Nullable Household left;

    Households(RunDirectory directory) {
        this.directory = directory;
    }

    /** The one for a run: that of the run before, where it has services that the plan wants. */
    Household enter(LaunchPlan plan) {
        Household inherited = left;
        left = null;
        if (inherited != null && inherited.fits(plan)) {
            return inherited;
        }
        if (inherited != null) {
            inherited.close();
        }
        return new Household(directory);
    }

    /** A run has ended, with services that are there for the next. */
    void leave(Household household) {
        household.clear();
        left = household;
    }

    /**
     * There is no next run.
     *
     * @return how the services have ended that were kept, by their ids
     */
    Map<String, Termination> close() {
        Household last = left;
        left = null;
        if (last == null) {
            return Map.of();
        }
        last.close();
        return last.services().ends(ENDING);
    }
}
