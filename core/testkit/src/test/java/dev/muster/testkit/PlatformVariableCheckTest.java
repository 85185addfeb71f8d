package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(EngineConformance.ONE_JDK)
class PlatformVariableCheckTest {

    @Test
    void aVariableInsideAMessageIsFound() {
        assertThatThrownBy(() -> check(Speaks.class)).hasMessageContaining("speaks of VC_TASK_INDEX");
    }

    @Test
    void wordsOfFrameworksAreTheEnginesOwn() {
        assertThatCode(() -> check(Silent.class)).doesNotThrowAnyException();
        assertThat(new Silent().toString()).contains("OMPI_MCA_x");
    }

    private static void check(Class<?> type) {
        PlatformVariableCheck.check(new ClassFileImporter().importClass(type));
    }

    private static final class Speaks {
        @Override
        public String toString() {
            return "nobody set VC_TASK_INDEX here";
        }
    }

    private static final class Silent {

        private static final long WIDE = 1L << 40;

        @Override
        public String toString() {
            return "OMPI_MCA_x, RANK, MASTER_ADDR, TF_CONFIG, MCA_VC, " + WIDE;
        }
    }
}
