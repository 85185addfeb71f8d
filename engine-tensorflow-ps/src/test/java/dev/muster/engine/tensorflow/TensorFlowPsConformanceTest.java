package dev.muster.engine.tensorflow;

import dev.muster.testkit.runtime.RuntimeConformance;

class TensorFlowPsConformanceTest extends RuntimeConformance {

    @Override
    protected String engineId() {
        return "tensorflow-ps";
    }
}
