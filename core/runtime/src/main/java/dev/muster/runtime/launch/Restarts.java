package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.runs.RestartOn;
import dev.muster.runtime.runs.RunCount;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides whether another attempt of a job follows. All launchers of a job decide alike. */
final class Restarts {

    private final RestartOn restartOn;

    @Inject
    Restarts(LaunchRequest request) {
        restartOn = restartOn(request.resolved().settings());
    }

    private static RestartOn restartOn(Settings settings) {
        return RestartOn.parse(settings.text(OptionTable.RESTART_ON).orElseThrow());
    }

    /** The first attempt of a job with these settings. */
    static RunCount first(Settings settings) {
        return RunCount.first(
                Integer.parseInt(settings.text(OptionTable.RESTARTS).orElseThrow()));
    }

    /**
     * Whether another attempt follows one with this verdict.
     *
     * @param known the number of the attempt, as all launchers know it
     */
    boolean hasNext(Verdict verdict, RunCount known) {
        return known.mayRestart() && mayFollow(verdict);
    }

    /** What must be the same on all nodes. Empty without restarts. */
    static Map<String, String> equal(Settings settings) {
        int limit = first(settings).limit();
        return limit == 0
                ? Map.of()
                : Map.of(
                        OptionTable.RESTARTS.name(),
                        String.valueOf(limit),
                        OptionTable.RESTART_ON.name(),
                        settings.text(OptionTable.RESTART_ON).orElseThrow());
    }

    /** The number of attempts, for users, when the job ends; empty: there was only one. */
    static String remark(RunCount count) {
        return count.run() > 1 ? "after " + count.run() + " runs" : "";
    }

    /** Uses the end that all launchers agreed on, where there is one. */
    private boolean mayFollow(Verdict verdict) {
        Cause cause = verdict.cause();
        return isRestartable(cause)
                && !cause.isLauncherKilled()
                && verdict.job().end().map(this::mayFollow).orElseGet(() -> mayFollow(cause));
    }

    /**
     * Hooks belong to the engine, and a process that cannot start now cannot start a moment later. A node that was told to stop stops,
     * whatever the others do.
     */
    private static boolean isRestartable(Cause cause) {
        if (cause instanceof Cause.Interrupted) {
            return false;
        }
        return !(cause instanceof Cause.ProcessFailed failed)
                || !(failed.process() instanceof ProcessSpec.Hook
                        || failed.termination().startProblem().isPresent());
    }

    private boolean mayFollow(Cause cause) {
        if (cause instanceof Cause.ProcessFailed failed) {
            // The other launchers get this code, too: it makes a service that exits with 0 too early a failure.
            return restartOn.includes(ExitCodes.STANDARD.of(failed));
        }
        if (cause instanceof Cause.Decided decided && decided.isFault()) {
            return restartOn.includes(decided.exitCode());
        }
        if (cause instanceof Cause.Hung hung) {
            return hung.isToRestart() && restartOn.includes(hung.exitCode());
        }
        return cause instanceof Cause.Elsewhere elsewhere && mayFollow(elsewhere.end());
    }

    private boolean mayFollow(JobEnd end) {
        return switch (end.kind()) {
            case FAILED -> restartOn.includes(end.exitCode());
            case LOST -> restartOn.lost();
            case SUCCESS, STOPPED, STOPPED_FROM_OUTSIDE, OUTCOME, REFUSED -> false;
        };
    }

    /** Where faults of cards are listed; empty in a job without restarts. */
    static Optional<ResetFile> resetFile(ResolvedJob resolved) {
        Settings settings = resolved.settings();
        Optional<Setting> file = settings.given(OptionTable.RESET_FILE);
        return file.filter(any -> first(settings).limit() > 0)
                .map(named -> new ResetFile(Path.of(named.value()), named.origin()));
    }

    /** @throws MusterException when {@code --on-hang} has no {@code --hang-timeout}, or says restart and no restart may follow */
    static void checkHang(Settings settings) {
        Setting onHang = settings.find(OptionTable.ON_HANG).orElseThrow();
        boolean isLookedFor = settings.given(OptionTable.HANG_TIMEOUT).isPresent()
                && !settings.duration(OptionTable.HANG_TIMEOUT).isZero();
        // A variable or a configuration file may set it for many jobs.
        if (!isLookedFor && onHang.source() == Setting.Source.COMMAND_LINE) {
            throw MusterException.usage(onHang.origin() + " is of no use without " + OptionTable.HANG_TIMEOUT.flag()
                    + " T: nobody looks whether the job hangs. Give both, or leave both out");
        }
        boolean hasRestarts = first(settings).limit() > 0;
        if (isLookedFor
                && onHang.value().equals("restart")
                && !(hasRestarts && restartOn(settings).includes(ExitCode.TEMPORARY.code()))) {
            String need = hasRestarts ? OptionTable.RESTART_ON.flag() + " failure" : OptionTable.RESTARTS.flag() + " N";
            throw MusterException.configuration(onHang.origin() + "=restart needs " + need
                    + ": else the job does not start again. Give " + need + ", or " + OptionTable.ON_HANG.flag()
                    + " stop");
        }
    }

    /** @throws MusterException when the user names a reset file and the job has no restarts */
    static void checkResetFile(Settings settings) {
        if (first(settings).limit() == 0) {
            settings.given(OptionTable.RESET_FILE)
                    .filter(given -> given.source() != Setting.Source.PLATFORM)
                    .ifPresent(Restarts::refuse);
        }
    }

    private static void refuse(Setting given) {
        throw MusterException.configuration(given.origin() + "=" + given.value() + " needs "
                + OptionTable.RESTARTS.flag()
                + " N: a fault of a card ends a run, and only then another one follows. Give "
                + OptionTable.RESTARTS.flag() + " N, or leave " + given.origin() + " out");
    }

    /** The plan, with a note about the reset file. */
    static LaunchPlan withNote(LaunchPlan plan, Optional<ResetFile> resets) {
        return resets.map(file -> plan.toBuilder()
                        .notes(List.of(Note.info("faults of cards are read in " + file.path() + " (" + file.origin()
                                + "); one of this node's ranks ends the run: SIGKILL at once")))
                        .build())
                .orElse(plan);
    }
}
