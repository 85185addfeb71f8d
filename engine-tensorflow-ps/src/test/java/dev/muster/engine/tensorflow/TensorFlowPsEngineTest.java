package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import org.junit.jupiter.api.Test;

class TensorFlowPsEngineTest {

    @Test
    void descriptorNamesOptionsAndVariables() {
        EngineDescriptor descriptor = new TensorFlowPsEngine().descriptor();

        assertThat(descriptor.id()).isEqualTo("tensorflow-ps");
        assertThat(descriptor.options())
                .extracting(EngineOption::name)
                .containsExactly("shape", "tf-config", "inject", "ps-hosts", "worker-hosts");
        assertThat(option(descriptor, "shape").choices()).containsExactly("role", "node");
        assertThat(option(descriptor, "shape").defaultValue()).isEmpty();
        assertThat(option(descriptor, "tf-config").choices()).containsExactly("ps", "chief", "workers");
        assertThat(option(descriptor, "tf-config").defaultValue()).contains("ps");
        assertThat(option(descriptor, "inject").defaultValue()).contains("true");
        assertThat(descriptor.ownedVariables()).containsExactly("TF_CONFIG");
    }

    @Test
    void simulationsKnowTheRolesAndNeedTwoPorts() {
        EngineDescriptor descriptor = new TensorFlowPsEngine().descriptor();
        assertThat(descriptor.roles()).containsExactly("ps", "worker");
        assertThat(descriptor.simulatedPorts()).isEqualTo(2);
    }

    @Test
    void messagesQuoteOnlyWhatATerminalCanShow() {
        assertThat(Messages.quote("a\n\"b\"\\\u001b[1m\u00e9")).isEqualTo("\"a\\u000a\\\"b\\\"\\\\\\u001b[1m\\u00e9\"");
        assertThat(Messages.quote("x".repeat(500))).hasSize(125).endsWith("x...\"");
    }

    private static EngineOption option(EngineDescriptor descriptor, String name) {
        return descriptor.options().stream()
                .filter(option -> option.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
