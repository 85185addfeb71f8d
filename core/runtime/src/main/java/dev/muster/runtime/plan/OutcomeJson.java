package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.spi.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What decides how a node's job ended, as JSON. */
final class OutcomeJson {

    private OutcomeJson() {}

    static Map<String, @Nullable Object> of(Outcome outcome) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put(
                "kind",
                outcome.followsLeader() ? "followsLeader" : outcome.cases().isEmpty() ? "allTasks" : "firstOf");
        if (!outcome.cases().isEmpty()) {
            entry.put("cases", cases(outcome));
        }
        return entry;
    }

    private static List<Object> cases(Outcome outcome) {
        List<Object> cases = new ArrayList<>();
        for (Outcome.Case one : outcome.cases()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("when", Conditions.describe(one.when()));
            each.put("exitCode", (long) one.exitCode());
            each.put("reason", one.reason());
            cases.add(each);
        }
        return cases;
    }
}
