package dev.muster.engine.mpi;

import dev.muster.testkit.runtime.RuntimeConformance;
import java.util.Map;

class MpiConformanceTest extends RuntimeConformance {

    @Override
    protected String engineId() {
        return "mpi";
    }

    /** The machines of the clusters in memory have no keys of their own. */
    @Override
    protected Map<String, String> engineOptions() {
        return Map.of("ssh-key", "/virtual/key");
    }
}
