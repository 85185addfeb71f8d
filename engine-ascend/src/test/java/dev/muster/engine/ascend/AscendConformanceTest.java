package dev.muster.engine.ascend;

import dev.muster.testkit.EngineConformance;
import java.util.Map;
import org.junit.jupiter.api.Nested;

class AscendConformanceTest {

    @Nested
    class Plain extends Ascend {
        Plain() {
            super(Map.of());
        }
    }

    @Nested
    class TensorFlow extends Ascend {
        TensorFlow() {
            super(Map.of("framework", "tensorflow", "output-dir", "/virtual/output"));
        }
    }

    @Nested
    class PyTorch extends Ascend {
        PyTorch() {
            super(Map.of("framework", "pytorch"));
        }
    }

    @Nested
    class PyTorchWithoutServersInTheTable extends Ascend {
        PyTorchWithoutServersInTheTable() {
            super(Map.of("framework", "pytorch", "table-family", "2.0"));
        }
    }

    @Nested
    class MindSpore extends Ascend {
        MindSpore() {
            super(Map.of("framework", "mindspore", "mindspore-dirs", "train_parallel", "table-family", "lab"));
        }
    }

    abstract static class Ascend extends EngineConformance {

        private final Map<String, String> options;

        Ascend(Map<String, String> options) {
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
    }
}
