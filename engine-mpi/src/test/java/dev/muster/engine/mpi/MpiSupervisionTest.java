package dev.muster.engine.mpi;

import dev.muster.testkit.runtime.SupervisionConformance;
import java.util.Map;

class MpiSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "mpi";
    }

    /** One process is started, and one rank by it. */
    @Override
    protected Map<String, String> engineOptions() {
        return Map.of("slots", "1");
    }

    @Override
    protected boolean keepsStreamsInOrder() {
        return false;
    }
}
