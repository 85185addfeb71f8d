package dev.muster.runtime.watch;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.questions.JobAsker;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Columns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** {@code muster top}: what each rank of a job does, on all nodes. */
record TopCommand(LauncherRequest request, JobAsker asker) {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** @return the exit code */
    int run() {
        boolean isOnce = request.has(OptionTable.ONCE) || request.isJson();
        List<NodeAnswer> answers = ask();
        if (isOnce) {
            String text = request.isJson() ? Json.indented(document(answers)) : text(answers);
            return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        TopScreen screen = TopScreen.ofStandardOutput();
        while (screen.show(text(answers))) {
            LockSupport.parkNanos(screen.refresh().toNanos());
            try {
                answers = ask();
            } catch (MusterException ended) {
                // It was there a moment ago.
                StandardOutput.write("the job has ended here\n");
                return 0;
            }
        }
        return ExitCode.UNAVAILABLE.code();
    }

    private List<NodeAnswer> ask() {
        return asker.job(TopHandler.KIND, Map.of(), PATIENCE);
    }

    private static Map<String, @Nullable Object> document(List<NodeAnswer> answers) {
        List<Object> nodes = new ArrayList<>();
        for (NodeAnswer answer : answers) {
            Map<String, @Nullable Object> node = new LinkedHashMap<>();
            node.put("node", answer.node());
            node.put("host", answer.host());
            node.put("error", answer.error().orElse(null));
            node.put("state", answer.content().get("state"));
            node.put("restarts", answer.content().get("restarts"));
            node.put("note", answer.content().get("note"));
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
        return text + (rows.size() == 1 ? "no rank runs yet\n" : Columns.align(rows));
    }
}
