package dev.muster.runtime.errors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MusterExceptionTest {

    @Test
    void carriesMessageAndCode() {
        MusterException usage = MusterException.usage("no command");

        assertThat(usage).hasMessage("no command");
        assertThat(usage.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(MusterException.configuration("x").exitCode()).isEqualTo(ExitCode.CONFIGURATION);
    }

    @Test
    void keepsItsCause() {
        Exception cause = new IllegalStateException("deep");

        MusterException failure = new MusterException(ExitCode.INTERNAL, "shallow", cause);

        assertThat(failure).hasMessage("shallow").hasCause(cause);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.INTERNAL);
    }
}
