package dev.muster.engine.tensorflow;

import dev.muster.testkit.EngineConformance;

class TensorFlowPsConformanceTest extends EngineConformance {

    @Override
    protected String engineId() {
        return "tensorflow-ps";
    }
}
