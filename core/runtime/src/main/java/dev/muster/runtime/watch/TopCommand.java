package dev.muster.runtime.watch;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.control.JobAsker;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Shortened;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code muster top}: what each rank of a job does, on all nodes. A terminal is redrawn; other output is appended. */
public record TopCommand(LauncherRequest request, JobAsker asker) {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SECONDS_ON_TERMINAL = 1;
    private static final int SECONDS = 10;

    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K\n";
    private static final String REST_OF_SCREEN = "\u001b[J";
    private static final String USUAL_SIZE = "24 80";

    /** @return the exit code */
    public int run() {
        List<NodeAnswer> answers = ask();
        if (request.has(OptionTable.ONCE) || request.isJson()) {
            String text = request.isJson() ? Json.indented(document(answers)) : text(answers);
            return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        boolean isTerminal = StandardStreams.isTerminal(1);
        while (StandardOutput.write(isTerminal ? drawn(text(answers)) : text(answers) + "\n")) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(isTerminal ? SECONDS_ON_TERMINAL : SECONDS));
            try {
                answers = ask();
            } catch (MusterException ended) {
                // The launcher answered before.
                StandardOutput.write("the job has ended here\n");
                return 0;
            }
        }
        return ExitCode.UNAVAILABLE.code();
    }

    private List<NodeAnswer> ask() {
        return asker.ask(TopHandler.KIND, Map.of(), PATIENCE);
    }

    private static Map<String, @Nullable Object> document(List<NodeAnswer> answers) {
        List<Object> nodes = new ArrayList<>();
        for (NodeAnswer answer : answers) {
            Map<String, @Nullable Object> node = new LinkedHashMap<>();
            node.put("node", answer.node());
            node.put("host", answer.host());
            node.put("error", answer.error().orElse(null));
            List.of("state", "restarts", "note")
                    .forEach(key -> node.put(key, answer.content().get(key)));
            node.put("ranks", answer.objects("ranks"));
            nodes.add(node);
        }
        return Map.of("nodes", nodes);
    }

    private static String text(List<NodeAnswer> answers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(TopRow.HEADER);
        TopRow.sorted(answers).forEach(row -> rows.add(row.cells()));
        StringBuilder text = new StringBuilder();
        answers.stream()
                .flatMap(answer -> answer.problem().stream())
                .forEach(line -> text.append(line).append('\n'));
        String none = text.isEmpty() ? "no rank runs yet\n" : "";
        return text + (rows.size() == 1 ? none : Columns.align(rows));
    }

    /** Draws the lines that fit; the cursor stays below them. */
    private static String drawn(String text) {
        int[] size = Stream.of(sizeOfTerminal().split(" ", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        int most = size[0] - 1;
        List<String> lines = new ArrayList<>(text.lines().toList());
        int left = lines.size() - most + 1;
        if (left > 1 && most > 1) {
            lines.subList(most - 1, lines.size()).clear();
            lines.add("... " + left + " more ranks; --once shows all");
        }
        StringBuilder screen = new StringBuilder(HOME);
        for (String line : lines) {
            screen.append(line.length() > size[1] ? Shortened.start(size[1], line) : line)
                    .append(REST_OF_LINE);
        }
        return screen.append(REST_OF_SCREEN).toString();
    }

    /** The lines and columns of the terminal. Java does not know them, so stty tells. */
    private static String sizeOfTerminal() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Redirect.INHERIT)
                    .redirectError(Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return answer.matches("[1-9][0-9]{0,4} [1-9][0-9]{0,4}") ? answer : USUAL_SIZE;
        } catch (IOException noSuchProgram) {
            return USUAL_SIZE;
        }
    }
}
