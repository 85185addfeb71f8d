package dev.muster.engine.mpi;

import dev.muster.testkit.runtime.SupervisionConformance;
import java.util.Map;

class MpiSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "mpi";
    }

    /** The launcher starts one process, and that process starts one rank. */
    @Override
    protected Map<String, String> engineOptions() {
        return Map.of("slots", "1");
    }

    @Override
    protected boolean keepsStreamsInOrder() {
        return false;
    }
}
