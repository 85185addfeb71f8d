package dev.muster.engine.ascend;

import dev.muster.testkit.SupervisionConformance;

class AscendSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "ascend";
    }
}
