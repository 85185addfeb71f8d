package dev.muster.engine.tensorflow;

import dev.muster.testkit.runtime.SupervisionConformance;

class TensorFlowPsSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "tensorflow-ps";
    }
}
