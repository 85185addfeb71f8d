package dev.muster.engine.pytorch;

import dev.muster.testkit.runtime.SupervisionConformance;

class PyTorchSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "pytorch-gpu";
    }
}
