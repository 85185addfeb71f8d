package dev.muster.engine.ascend;

import dev.muster.testkit.EngineConformance;
import java.util.Map;
import org.junit.jupiter.api.Nested;

class AscendConformanceTest {

    private static final int TURNS = 4;

    @Nested
    class Plain extends Ascend {
        Plain() {
            super(0, Map.of());
        }
    }

    @Nested
    class TensorFlow extends Ascend {
        TensorFlow() {
            super(1, Map.of("framework", "tensorflow", "output-dir", "/virtual/output"));
        }
    }

    @Nested
    class PyTorch extends Ascend {
        PyTorch() {
            super(2, Map.of("framework", "pytorch"));
        }
    }

    @Nested
    class PyTorchWithoutServersInTheTable extends Ascend {
        PyTorchWithoutServersInTheTable() {
            super(0, Map.of("framework", "pytorch", "table-family", "2.0"));
        }
    }

    @Nested
    class MindSpore extends Ascend {
        MindSpore() {
            super(3, Map.of("framework", "mindspore", "mindspore-dirs", "train_parallel", "table-family", "lab"));
        }
    }

    abstract static class Ascend extends EngineConformance {

        private final int turn;
        private final Map<String, String> options;

        /** @param turn in which it plays jobs: frameworks have the same launchers, and the same processes with other variables */
        Ascend(int turn, Map<String, String> options) {
            this.turn = turn;
            this.options = options;
        }

        @Override
        protected String engineId() {
            return "ascend";
        }

        @Override
        protected Map<String, String> engineOptions() {
            return options;
        }

        @Override
        protected boolean plays(long seed) {
            return seed % TURNS == turn;
        }
    }
}
