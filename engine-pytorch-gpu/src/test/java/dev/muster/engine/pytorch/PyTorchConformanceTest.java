package dev.muster.engine.pytorch;

import dev.muster.testkit.runtime.RuntimeConformance;

class PyTorchConformanceTest extends RuntimeConformance {

    @Override
    protected String engineId() {
        return "pytorch-gpu";
    }
}
