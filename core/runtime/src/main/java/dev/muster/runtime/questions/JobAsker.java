package dev.muster.runtime.questions;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.control.LauncherQuestions;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A command asks a job that runs here: its launcher on this node, and by that one all others. */
public final class JobAsker {

    private final LauncherQuestions launchers;
    private final Optional<String> job;

    /** @param request whose job is meant */
    public JobAsker(LauncherRequest request, LongSupplier nanoClock) {
        launchers = new LauncherQuestions(nanoClock);
        job = request.job();
    }

    /**
     * Asks every node of the job.
     *
     * @param patience how long nodes may take
     * @return one answer of each node, in the order of their names
     * @throws MusterException no such job runs here, or its launcher does not answer
     */
    public List<NodeAnswer> job(String kind, Map<String, ?> question, Duration patience) {
        return ask("job", kind, question, patience);
    }

    /** The same of this node alone. */
    public List<NodeAnswer> node(String kind, Map<String, ?> question, Duration patience) {
        return ask("node", kind, question, patience);
    }

    private List<NodeAnswer> ask(String scope, String kind, Map<String, ?> question, Duration patience) {
        String line = scope + " " + kind + " " + patience.toMillis() + " " + Json.line(question);
        List<NodeAnswer> answers = NodeAnswer.of(launchers.ask(job, line, patience)).stream()
                .sorted(Comparator.comparing(NodeAnswer::order))
                .toList();
        if (answers.isEmpty()) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "the launcher does not answer: it has just begun, or is about to end. Try again");
        }
        return answers;
    }
}
