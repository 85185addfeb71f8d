package dev.muster.engine.ascend;

import dev.muster.testkit.EngineConformance;
import java.util.Map;
import org.junit.jupiter.api.Nested;

class AscendConformanceTest extends EngineConformance {

    @Override
    protected String engineId() {
        return "ascend";
    }

    @Nested
    class TensorFlow extends EngineConformance {

        @Override
        protected String engineId() {
            return "ascend";
        }

        @Override
        protected Map<String, String> engineOptions() {
            return Map.of("framework", "tensorflow", "output-dir", "/virtual/output");
        }
    }

    @Nested
    class PyTorch extends EngineConformance {

        @Override
        protected String engineId() {
            return "ascend";
        }

        @Override
        protected Map<String, String> engineOptions() {
            return Map.of("framework", "pytorch");
        }
    }

    @Nested
    class PyTorchWithoutServersInTheTable extends EngineConformance {

        @Override
        protected String engineId() {
            return "ascend";
        }

        @Override
        protected Map<String, String> engineOptions() {
            return Map.of("framework", "pytorch", "table-family", "2.0");
        }
    }

    @Nested
    class MindSpore extends EngineConformance {

        @Override
        protected String engineId() {
            return "ascend";
        }

        @Override
        protected Map<String, String> engineOptions() {
            return Map.of("framework", "mindspore", "mindspore-dirs", "train_parallel", "table-family", "lab");
        }
    }
}
