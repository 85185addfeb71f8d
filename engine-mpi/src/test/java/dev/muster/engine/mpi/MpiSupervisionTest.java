package dev.muster.engine.mpi;

import dev.muster.testkit.runtime.SupervisionConformance;

class MpiSupervisionTest extends SupervisionConformance {

    @Override
    protected String engineId() {
        return "mpi";
    }

    @Override
    protected boolean keepsStreamsInOrder() {
        return false;
    }
}
