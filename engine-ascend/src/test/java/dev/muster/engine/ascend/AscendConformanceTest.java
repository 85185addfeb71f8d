package dev.muster.engine.ascend;

import dev.muster.testkit.runtime.RuntimeConformance;
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
            super(Map.of("framework", "tensorflow"));
        }
    }

    @Nested
    class PyTorch extends Ascend {
        PyTorch() {
            super(Map.of("framework", "pytorch"));
        }
    }

    @Nested
    class MindSpore extends Ascend {
        MindSpore() {
            super(Map.of("framework", "mindspore"));
        }
    }

    abstract static class Ascend extends RuntimeConformance {

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
