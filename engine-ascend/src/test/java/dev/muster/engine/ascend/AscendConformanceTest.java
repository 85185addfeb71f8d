package dev.muster.engine.ascend;

import dev.muster.testkit.EngineConformance;

class AscendConformanceTest extends EngineConformance {

    @Override
    protected String engineId() {
        return "ascend";
    }
}
