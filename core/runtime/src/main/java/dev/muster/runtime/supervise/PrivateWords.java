package dev.muster.runtime.supervise;

import dev.muster.runtime.plan.ValueParts;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** Whether a plan speaks of the run's private directory, which must then lie in a place that is closed to others. */
final class PrivateWords {

    private PrivateWords() {}

    static boolean areIn(LaunchPlan plan) {
        List<Value> values = new ArrayList<>();
        plan.files().stream().map(GeneratedFile::text).forEach(values::add);
        for (ProcessSpec process : plan.processes()) {
            values.addAll(ValueParts.of(process.launch()));
        }
        return values.stream().anyMatch(PrivateWords::isIn);
    }

    private static boolean isIn(Value value) {
        return value.leaves().stream().anyMatch(part -> part.is(Value.Kind.PRIVATE_DIRECTORY));
    }
}
