package dev.muster.engine.pytorch;

import dev.muster.testkit.EngineConformance;

class PyTorchConformanceTest extends EngineConformance {

    @Override
    protected String engineId() {
        return "pytorch-gpu";
    }
}
