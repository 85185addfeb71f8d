package dev.muster.runtime.watch;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SignalName;
import dev.muster.runtime.control.JobAsker;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Ranges;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code muster stacks}: where the ranks of a job stand, on all nodes. */
public record StacksCommand(LauncherRequest request, JobAsker asker) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** @return the exit code */
    public int run() {
        Map<String, Object> question = new LinkedHashMap<>();
        BitSet missing = request.ranks();
        question.put("ranks", String.join(",", Ranges.of(missing)));
        request.value(OptionTable.STACKS_SIGNAL)
                .map(SignalName::plain)
                .ifPresent(signal -> question.put("signal", signal));
        RollCall call = RollCall.of(asker.ask(StacksHandler.KIND, question, PATIENCE));
        call.ranks().forEach(missing::clear);
        JobAsker.reportMissing(missing);
        String text = request.isJson() ? Json.indented(call.document()) : String.join("\n", call.lines()) + "\n";
        return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
    }
}
