package dev.muster.engine.ascend;

import dev.muster.testkit.runtime.SupervisionConformance;

class AscendSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "ascend";
    }
}
