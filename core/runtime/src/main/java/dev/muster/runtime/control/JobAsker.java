package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A command asks a job that runs here: its launcher on this node, and by that one all others.
 *
 * @param request whose job is meant
 */
public record JobAsker(LauncherRequest request, LongSupplier nanoClock) {

    /** How much later than the last answer it says so. */
    private static final Duration BEYOND = Duration.ofSeconds(2);

    /**
     * Asks every node of the job.
     *
     * @param patience how long nodes may take
     * @return one answer of each node, in the order of their names
     * @throws MusterException no such job runs here, or several, or its launcher does not answer
     */
    public List<NodeAnswer> job(String kind, Map<String, ?> question, Duration patience) {
        String line = "ask " + kind + " " + patience.toMillis() + " " + Json.line(question);
        List<NodeAnswer> answers = NodeAnswer.of(lines(line, patience));
        if (answers.isEmpty()) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "the launcher does not answer: it has just begun, or is about to end. Try again");
        }
        return answers;
    }

    private List<String> lines(String question, Duration patience) {
        ControlClient client = choose(request.job()).client();
        client.ask(question);
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
        List<RunningLauncher> here = LauncherFinder.here().find();
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
            throw MusterException.usage(
                    "several jobs run here: " + RunningLauncher.names(meant) + ". Say which: --job ID");
        }
        return meant.get(0);
    }

    private static String nobody(Optional<String> job, List<RunningLauncher> here) {
        String what = job.map(id -> " of job " + Printable.quote(id)).orElse("");
        return "no launcher" + what + " runs here"
                + (here.isEmpty() ? "; ask on a node where the job runs" : ", but " + RunningLauncher.names(here));
    }
}
