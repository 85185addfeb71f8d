package dev.muster.engine.mpi;

import dev.muster.testkit.runtime.RuntimeConformance;
import java.util.Map;

class MpiConformanceTest extends RuntimeConformance {

    @Override
    protected String engineId() {
        return "mpi";
    }

    /** The machines of a simulated cluster have no ssh keys. */
    @Override
    protected Map<String, String> engineOptions() {
        return Map.of("ssh-key", "/virtual/key");
    }
}
