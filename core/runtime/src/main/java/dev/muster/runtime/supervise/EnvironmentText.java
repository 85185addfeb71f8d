package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The environments of a plan's processes as {@code env} prints them, but for secrets: the text lies in a file. */
final class EnvironmentText {

    private final LaunchPlan plan;
    private final Map<String, String> inherited;
    private final Secrets secrets;

    /** @param inherited what processes get where the plan says nothing else */
    EnvironmentText(LaunchPlan plan, Map<String, String> inherited, Secrets secrets) {
        this.plan = plan;
        this.inherited = inherited;
        this.secrets = secrets;
    }

    /** @param texts what a value stands for */
    String of(String processId, Function<Value, String> texts) {
        for (ProcessSpec process : plan.processes()) {
            if (process.id().equals(processId)) {
                return of(process.launch().environment(), texts);
            }
        }
        throw new IllegalStateException("the plan has no process " + processId);
    }

    private String of(EnvironmentChange change, Function<Value, String> texts) {
        Map<String, String> variables = new TreeMap<>(inherited);
        variables.keySet().removeAll(change.remove());
        change.set().forEach((name, value) -> variables.put(name, texts.apply(value)));
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) ->
                text.append(name).append('=').append(secrets.show(name, value)).append('\n'));
        return text.toString();
    }
}
