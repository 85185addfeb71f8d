package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.spi.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What decides how a node's job ended, as JSON. */
final class OutcomeJson implements Outcome.Cases<Map<String, @Nullable Object>> {

    @Override
    public Map<String, @Nullable Object> allTasks(Outcome.AllTasks all) {
        return named("allTasks");
    }

    @Override
    public Map<String, @Nullable Object> decidedBy(Outcome.DecidedBy decided) {
        Map<String, @Nullable Object> entry = named("decidedBy");
        entry.put("task", decided.taskId());
        return entry;
    }

    @Override
    public Map<String, @Nullable Object> firstOf(Outcome.FirstOf firstOf) {
        Map<String, @Nullable Object> entry = named("firstOf");
        List<Object> cases = new ArrayList<>();
        for (Outcome.Case one : firstOf.cases()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("when", Conditions.describe(one.when()));
            each.put("exitCode", (long) one.exitCode());
            one.codeFile().ifPresent(name -> each.put("codeFile", name));
            one.missing().ifPresent(missing -> each.put("missing", Conditions.describe(missing)));
            each.put("reason", one.reason());
            cases.add(each);
        }
        entry.put("cases", cases);
        return entry;
    }

    @Override
    public Map<String, @Nullable Object> followsLeader(Outcome.FollowsLeader follows) {
        Map<String, @Nullable Object> entry = named("followsLeader");
        follows.exitCode().ifPresent(code -> entry.put("exitCode", (long) code));
        return entry;
    }

    private static Map<String, @Nullable Object> named(String kind) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("kind", kind);
        return entry;
    }
}
