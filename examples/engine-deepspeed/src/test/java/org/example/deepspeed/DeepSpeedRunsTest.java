package org.example.deepspeed;

import dev.muster.testkit.runtime.SupervisionConformance;

/** The rule R9, with real processes and signals. */
class DeepSpeedRunsTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "deepspeed";
    }
}
