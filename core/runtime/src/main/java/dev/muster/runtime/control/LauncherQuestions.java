package dev.muster.runtime.control;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Asks a launcher that runs here, on behalf of a command, for what it answers in lines. */
public final class LauncherQuestions {

    /** How much later than the last answer it says so. */
    private static final Duration BEYOND = Duration.ofSeconds(2);

    private final LongSupplier nanoClock;

    public LauncherQuestions(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * The lines that a launcher answers with.
     *
     * @param job whose launcher is asked; empty: of the only job that runs here
     * @param patience how long the launcher itself waits
     * @throws MusterException there is no such launcher, or it is not clear which one is meant
     */
    public List<String> ask(Optional<String> job, String question, Duration patience) {
        ControlClient client = choose(job).client();
        client.ask("ask " + question);
        List<String> lines = new ArrayList<>();
        long deadline = nanoClock.getAsLong() + patience.plus(BEYOND).toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - nanoClock.getAsLong()));
            Optional<String> line = client.answer(left);
            if (line.isEmpty()) {
                return lines;
            }
            lines.add(line.get());
        }
    }

    private static RunningLauncher choose(Optional<String> job) {
        List<RunningLauncher> here = new LauncherFinder(Path.of("/"), RunningLauncher.Identity.ownNamespace()).find();
        List<RunningLauncher> launchers = here.stream()
                .filter(launcher -> launcher.job().isPresent() && !launcher.isSimulation())
                .filter(launcher -> job.isEmpty() || launcher.job().equals(job))
                .toList();
        List<RunningLauncher> outer =
                launchers.stream().filter(launcher -> !launcher.isNested()).toList();
        List<RunningLauncher> meant = outer.isEmpty() ? launchers : outer;
        if (meant.isEmpty()) {
            throw new MusterException(ExitCode.UNAVAILABLE, nobody(job, here));
        }
        if (meant.stream().map(RunningLauncher::job).distinct().count() > 1) {
            throw MusterException.usage("several jobs run here: " + names(meant) + ". Say which: --job ID");
        }
        return meant.get(0);
    }

    private static String nobody(Optional<String> job, List<RunningLauncher> here) {
        String what = job.map(id -> " of job " + Printable.quote(id)).orElse("");
        return "no launcher" + what + " runs here"
                + (here.isEmpty() ? "; ask on a node where the job runs" : ", but " + names(here));
    }

    private static String names(List<RunningLauncher> launchers) {
        return launchers.stream().map(RunningLauncher::name).collect(Collectors.joining("; "));
    }
}
