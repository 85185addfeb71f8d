package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.errors.ExitCode;
import org.junit.jupiter.api.Test;

class TerminationTest {

    @Test
    void aCodeUpTo128IsTheProgramsOwn() {
        assertThat(Termination.ofExitValue(3)).isEqualTo(Termination.exited(3));
        assertThat(Termination.ofExitValue(128).signal()).isEmpty();
        assertThat(Termination.exited(3).describe()).isEqualTo("exit code 3");
    }

    @Test
    void aCodeAboveNamesTheSignal() {
        Termination killed = Termination.ofExitValue(137);

        assertThat(killed.signal()).hasValue(9);
        assertThat(killed.describe()).isEqualTo("SIGKILL (exit code 137)");
        assertThat(Termination.ofExitValue(139).describe()).startsWith("SIGSEGV");
    }

    @Test
    void aCodeBeyondAllSignalsIsTheProgramsOwn() {
        assertThat(Termination.ofExitValue(255)).isEqualTo(Termination.exited(255));
        assertThat(Termination.ofExitValue(193).signal()).isEmpty();
    }

    @Test
    void aProcessThatWasNotStartedIsNoSuccess() {
        Termination refused = Termination.notStarted(ExitCode.NOT_EXECUTABLE, "Permission denied");

        assertThat(refused.isSuccess()).isFalse();
        assertThat(refused.describe()).isEqualTo("could not be started: Permission denied");
    }
}
