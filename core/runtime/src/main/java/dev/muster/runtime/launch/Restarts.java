package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.Repetition;
import dev.muster.runtime.runs.RestartOn;
import dev.muster.runtime.runs.RestartRule;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Map;

/** Counts the runs of a job, decides whether another one follows, and tells of it. */
final class Restarts {

    private final Settings settings;
    private final Repetition repetition = new Repetition();
    private RunCount count;
    private boolean isRepeated;

    Restarts(Settings settings) {
        this.settings = settings;
        count = PlannedRun.countOf(settings);
    }

    /** The run that is, or will be. */
    RunCount count() {
        return count;
    }

    /**
     * Whether another run follows one that has ended so, unless it fails in the same way again and again.
     *
     * @param known which run it was, as all launchers know it
     */
    boolean follow(Verdict verdict, RunCount known) {
        count = known;
        return known.mayRestart() && rule().restartsAfter(RunEnds.of(verdict), known);
    }

    /** Whether it has failed in the same way as those before. To be asked once a run. */
    boolean isRepeated(Verdict verdict) {
        isRepeated = repetition.isThird(RunEnds.failure(verdict));
        return isRepeated;
    }

    /** From now on it is the next run that will be. */
    Duration begin(RunCount next) {
        count = next;
        return rule().delayBefore(next);
    }

    private RestartRule rule() {
        return new RestartRule(restartOn(settings), settings.duration(OptionTable.RESTART_DELAY));
    }

    private static RestartOn restartOn(Settings settings) {
        return RestartOn.parse(settings.text(OptionTable.RESTART_ON).orElseThrow());
    }

    /** What must be the same on all nodes, by what it means: {@code 5} is {@code 5s}. Empty without restarts. */
    static Map<String, String> equal(Settings settings) {
        int limit = PlannedRun.countOf(settings).limit();
        return limit == 0
                ? Map.of()
                : Map.of(
                        OptionTable.RESTARTS.name(),
                        String.valueOf(limit),
                        OptionTable.RESTART_ON.name(),
                        restartOn(settings).meaning(),
                        OptionTable.RESTART_DELAY.name(),
                        Durations.format(settings.duration(OptionTable.RESTART_DELAY)));
    }

    /** What users should know of the runs when the job ends with this one; empty: there was only one. */
    String remark() {
        int left = count.limit() - count.used();
        if (isRepeated && left > 0) {
            return "after " + count.run() + " runs: the same failure " + Repetition.TIMES + " times within "
                    + Durations.format(Repetition.SOON) + " of the start, so that "
                    + (left == 1 ? "the last restart was" : "the " + left + " restarts that were left were")
                    + " not tried";
        }
        return count.run() > 1 ? "after " + count.run() + " runs" : "";
    }

    /** Says that another run follows. */
    static void announce(Console console, RunCount next, Duration delay) {
        String when = delay.isZero() ? "now" : "in " + Durations.format(delay);
        console.say("run " + next.run() + " begins " + when + " (restart " + next.used() + " of at most " + next.limit()
                + ")");
    }
}
