package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TensorFlowPsEngineTest {

    @Test
    void messagesQuoteOnlyWhatATerminalCanShow() {
        assertThat(Messages.quote("a\n\"b\"\\\u001b[1m\u00e9")).isEqualTo("\"a\\u000a\\\"b\\\"\\\\\\u001b[1m\\u00e9\"");
        assertThat(Messages.quote("x".repeat(500))).hasSize(125).endsWith("x...\"");
    }
}
