package org.example.deepspeed;

import dev.muster.testkit.runtime.RuntimeConformance;

/** The rules R1 to R8, on plans of whole clusters in memory. */
class DeepSpeedPlansTest extends RuntimeConformance {

    @Override
    protected String engineId() {
        return "deepspeed";
    }
}
