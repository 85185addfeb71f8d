package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.errors.ExitCode;
import java.util.stream.IntStream;
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
    void everySignalHasAName() {
        assertThat(Termination.ofExitValue(128 + 29).describe()).isEqualTo("SIGIO (exit code 157)");
        assertThat(Termination.ofExitValue(128 + 30).describe()).isEqualTo("SIGPWR (exit code 158)");
        assertThat(Termination.ofExitValue(128 + 34).describe()).isEqualTo("SIGRTMIN (exit code 162)");
        assertThat(Termination.ofExitValue(128 + 64).describe()).isEqualTo("SIGRTMIN+30 (exit code 192)");
        assertThat(IntStream.rangeClosed(1, 31).mapToObj(SignalNames::of)).allMatch(name -> name.startsWith("SIG"));
        assertThat(SignalNames.of(33)).isEqualTo("signal 33");
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
