package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.Value;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineResourcesTest {

    private static final String HELLO = "# shellcheck shell=sh\necho hello\n";

    private static LaunchPlan withFile(Value text) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .file(new GeneratedFile("script", Optional.empty(), "script.sh", text))
                .build();
    }

    @Test
    void aResourceOfTheEnginesJarBecomesItsText() {
        LaunchPlan plan = withFile(Value.joined(Value.of("exec 2>&1\n"), Value.resource("hello.sh")));

        GeneratedFile file =
                EngineResources.read(plan, EngineResourcesTest.class).files().get(0);

        assertThat(file.id()).isEqualTo("script");
        assertThat(file.name()).isEqualTo("script.sh");
        assertThat(file.content()).isEqualTo("exec 2>&1\n" + HELLO);
    }

    @Test
    void aPlanWithoutResourcesStaysAsItIs() {
        LaunchPlan plan = withFile(Value.privateDirectory());

        assertThat(EngineResources.read(plan, EngineResourcesTest.class)).isEqualTo(plan);
    }

    @Test
    void aResourceThatIsNotThereIsNamed() {
        LaunchPlan plan = withFile(Value.resource("missing.sh"));

        assertThatThrownBy(() -> EngineResources.read(plan, EngineResourcesTest.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing.sh");
    }
}
