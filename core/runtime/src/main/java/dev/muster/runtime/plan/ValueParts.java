package dev.muster.runtime.plan;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** The values of one plan. */
public final class ValueParts {

    private ValueParts() {}

    /** All values of a launch. */
    public static List<Value> of(Launch launch) {
        List<Value> values = new ArrayList<>(launch.command());
        values.addAll(launch.environment().set().values());
        return values;
    }
}
