package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Condition;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Knows what ends the job of a plan. Asked as long as nothing has; only the event loop touches it. */
final class Judge {

    private final Outcome outcome;
    private final Roster roster;

    Judge(Outcome outcome, Roster roster) {
        this.outcome = outcome;
        this.roster = roster;
    }

    /** What {@link #met} wants to hear of, cases that come first first. */
    List<Condition> conditions() {
        return outcome instanceof Outcome.FirstOf first
                ? first.cases().stream().map(Outcome.Case::when).toList()
                : List.of();
    }

    /** Whether the end of a process ends the job. A failure does before any success that the same end brings. */
    Optional<Cause> ended(Supervised process) {
        if (isFailure(process)) {
            Termination how = Objects.requireNonNull(process.termination());
            return Optional.of(new Cause.ProcessFailed(process.spec(), process.pid(), how));
        }
        if (outcome instanceof Outcome.DecidedBy decided && decided.taskId().equals(process.id())) {
            return Optional.of(new Cause.Success(Optional.of(process.spec())));
        }
        return outcome instanceof Outcome.AllTasks && roster.allTasksHaveEnded()
                ? Optional.of(new Cause.Success())
                : Optional.empty();
    }

    /** Whether a condition that has come true ends the job: by the first case that waits for it. */
    Optional<Cause> met(Condition condition) {
        if (outcome instanceof Outcome.FirstOf first) {
            for (Outcome.Case possible : first.cases()) {
                if (possible.when().equals(condition)) {
                    return Optional.of(new Cause.Decided(possible.exitCode(), possible.reason()));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isFailure(Supervised process) {
        if (process.spec() instanceof ProcessSpec.Service service) {
            boolean isAllowed = service.mayEnd() && !process.failed();
            return !isAllowed && !process.endedByUs();
        }
        return process.failed() && !(process.spec() instanceof ProcessSpec.Step step && !step.required());
    }
}
