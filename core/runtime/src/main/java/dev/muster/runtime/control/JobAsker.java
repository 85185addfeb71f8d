package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.questions.JobQuestions;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Ranges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sends the question of a command to a job that runs here: to its launcher on this node, and through that to all others.
 *
 * @param request names the job
 */
public record JobAsker(LauncherRequest request, LongSupplier nanoClock) {

    /** How much longer than the nodes to wait for the launcher's own answer. */
    private static final Duration BEYOND = Duration.ofSeconds(2);

    /**
     * Asks every node of the job.
     *
     * @param patience how long to wait for nodes
     * @return one answer from each node, in the order of their names
     * @throws MusterException no such job runs here, or several, or its launcher does not answer
     */
    public List<NodeAnswer> ask(String kind, Map<String, ?> question, Duration patience) {
        String details = Json.line(question);
        if (details.length() > JobQuestions.LONGEST_QUESTION) {
            throw MusterException.usage(
                    "the list of ranks is too long for one question. Write it with ranges, such as 0-99");
        }
        String line = "ask " + kind + " " + patience.toMillis() + " " + details;
        List<NodeAnswer> answers = NodeAnswer.of(lines(line, patience));
        if (answers.isEmpty()) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "the launcher does not answer: it has just begun, or is about to end. Try again");
        }
        return answers;
    }

    /** Prints the ranks that no answer is about. */
    public static void reportMissing(BitSet ranks) {
        if (!ranks.isEmpty()) {
            Console.sayAtOnce("no node tells of rank " + String.join(",", Ranges.of(ranks)));
        }
    }

    private List<String> lines(String question, Duration patience) {
        ControlClient client = choose().client();
        client.send(question);
        List<String> lines = new ArrayList<>();
        long deadline = nanoClock.getAsLong() + patience.plus(BEYOND).toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - nanoClock.getAsLong()));
            Optional<String> line = client.nextLine(left);
            if (line.isEmpty()) {
                return lines;
            }
            lines.add(line.get());
        }
    }

    private RunningLauncher choose() {
        List<RunningLauncher> here = LauncherFinder.here().find();
        return RunningLauncher.ofOneJob(here, request.job()).stream()
                .findFirst()
                .orElseThrow(() -> noLauncher(here));
    }

    private MusterException noLauncher(List<RunningLauncher> here) {
        if (!here.isEmpty() && request.job().isEmpty()) {
            String names = RunningLauncher.names(here);
            return new MusterException(ExitCode.TEMPORARY, "no job can be asked here: " + names + ". Try again");
        }
        String what = request.job().map(id -> " of job " + Printable.quote(id)).orElse("");
        String others = here.isEmpty() ? "; ask on a node where the job runs" : ", but " + RunningLauncher.names(here);
        return new MusterException(ExitCode.UNAVAILABLE, "no launcher" + what + " runs here" + others);
    }
}
