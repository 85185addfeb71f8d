package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.plan.ValueParts;
import dev.muster.spi.Condition;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** Whether a plan speaks of the run's private directory, which must then lie in a place that is closed to others. */
final class PrivateWords {

    private PrivateWords() {}

    static boolean areIn(LaunchPlan plan) {
        List<Value> values = new ArrayList<>();
        List<Condition> conditions = new ArrayList<>();
        plan.files().stream().map(FileToWrite::text).forEach(values::add);
        for (ProcessSpec process : plan.processes()) {
            values.addAll(ValueParts.of(process.launch()));
            conditions.addAll(Roster.conditionsOf(process));
        }
        for (Outcome.Case possible : cases(plan)) {
            conditions.add(possible.when());
        }
        return cases(plan).stream().anyMatch(possible -> possible.codeFile().isPresent())
                || conditions.stream().anyMatch(PrivateWords::isIn)
                || values.stream().anyMatch(PrivateWords::isIn);
    }

    private static List<Outcome.Case> cases(LaunchPlan plan) {
        return plan.outcome() instanceof Outcome.FirstOf first ? first.cases() : List.of();
    }

    private static boolean isIn(Condition condition) {
        if (condition instanceof Condition.CommandEnds question) {
            return question.command().stream().anyMatch(PrivateWords::isIn);
        }
        return condition instanceof Condition.PrivateFileReady
                || Conditions.parts(condition).stream().anyMatch(PrivateWords::isIn);
    }

    private static boolean isIn(Value value) {
        return value.leaves().stream().anyMatch(part -> part instanceof Value.PrivateDirectory);
    }
}
