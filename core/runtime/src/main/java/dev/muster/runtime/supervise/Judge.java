package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Knows what ends the job of a plan. Asked as long as nothing has; only the event loop touches it. */
final class Judge {

    /** An exit code, and perhaps a reason. */
    private static final Pattern TOLD = Pattern.compile("([0-9]{1,3})(?:\\s+(.*))?", Pattern.DOTALL);

    private static final int HIGHEST_CODE = 255;

    private final Outcome outcome;
    private final Roster roster;
    private final UnaryOperator<String> privateText;
    private final Function<Condition, List<String>> missing;

    /**
     * @param privateText gives the content of a file in the run's private directory
     * @param missing what a condition lacks, part by part
     */
    Judge(
            Outcome outcome,
            Roster roster,
            UnaryOperator<String> privateText,
            Function<Condition, List<String>> missing) {
        this.outcome = outcome;
        this.roster = roster;
        this.privateText = privateText;
        this.missing = missing;
    }

    /** What {@link #met} wants to hear of, cases that come first first; and what it asks about. */
    static List<Condition> conditions(Outcome outcome) {
        List<Condition> conditions = new ArrayList<>();
        if (outcome instanceof Outcome.FirstOf first) {
            first.cases().forEach(possible -> conditions.add(possible.when()));
            first.cases().forEach(possible -> possible.missing().ifPresent(conditions::add));
        }
        return conditions;
    }

    /** Whether the end of a process ends the job. A failure does before any success that the same end brings. */
    Optional<Cause> ended(Supervised process) {
        if (isFailure(process)) {
            Termination how = Objects.requireNonNull(process.termination());
            return Optional.of(
                    isStop(process, how)
                            ? new Cause.StoppedFromOutside(process.spec(), process.pid(), how, explanation(process))
                            : new Cause.ProcessFailed(process.spec(), process.pid(), how, explanation(process)));
        }
        if (outcome instanceof Outcome.DecidedBy decided && decided.taskId().equals(process.id())) {
            return Optional.of(new Cause.Success(Optional.of(process.spec())));
        }
        return isDone() ? Optional.of(new Cause.Success()) : Optional.empty();
    }

    /** A node that only serves others has done so when nothing of it runs any more. */
    private boolean isDone() {
        return outcome instanceof Outcome.FollowsLeader
                ? roster.allHaveEnded()
                : outcome instanceof Outcome.AllTasks && roster.allTasksHaveEnded();
    }

    /** Whether a condition that has come true ends the job: by the first case that waits for it. */
    Optional<Cause> met(Condition condition) {
        if (outcome instanceof Outcome.FirstOf first) {
            for (Outcome.Case possible : first.cases()) {
                if (possible.when().equals(condition)) {
                    return Optional.of(decided(possible));
                }
            }
        }
        return Optional.empty();
    }

    /** What a failed process wrote into the file that a case of its end reads, or into its note where it hosts ranks. */
    private Optional<String> explanation(Supervised process) {
        if (process.spec().hosted().isPresent()) {
            return privateText.apply(HostedRanks.WHY).lines().findFirst().map(Printable::escape);
        }
        if (outcome instanceof Outcome.FirstOf first) {
            for (Outcome.Case possible : first.cases()) {
                boolean isOfItsEnd = possible.when() instanceof Condition.Exited exited
                        && exited.ids().contains(process.id());
                if (isOfItsEnd && possible.codeFile().isPresent()) {
                    return told(possible).map(told -> told.group(2)).map(Printable::escape);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Matcher> told(Outcome.Case possible) {
        return possible.codeFile()
                .map(file -> TOLD.matcher(privateText.apply(file).strip()))
                .filter(told -> told.matches() && Integer.parseInt(told.group(1)) <= HIGHEST_CODE);
    }

    private Cause decided(Outcome.Case possible) {
        Optional<Matcher> told = told(possible);
        if (told.isPresent()) {
            String said = told.get().group(2);
            String reason = said == null ? possible.reason() : Printable.escape(said);
            return new Cause.Decided(Integer.parseInt(told.get().group(1)), reason);
        }
        List<String> lacking = possible.missing().map(missing).orElse(List.of());
        return new Cause.Decided(
                possible.exitCode(), possible.reason() + (lacking.isEmpty() ? "" : ": " + String.join(", ", lacking)));
    }

    /** Steps are the engine's own commands, and no platform signals those of a job's processes. */
    private static boolean isStop(Supervised process, Termination how) {
        return how.isBySigterm() && !(process.spec() instanceof ProcessSpec.Step);
    }

    private static boolean isFailure(Supervised process) {
        if (process.spec() instanceof ProcessSpec.Service service) {
            boolean isAllowed = service.mayEnd() && !process.failed();
            return !isAllowed && !process.endedByUs();
        }
        return process.failed() && !(process.spec() instanceof ProcessSpec.Step step && !step.required());
    }
}
