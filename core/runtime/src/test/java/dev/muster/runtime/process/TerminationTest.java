package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.errors.ExitCode;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TerminationTest {

    @Test
    void aCodeIsTheProgramsOwn() {
        assertThat(Termination.ofWaitStatus(3 << 8)).isEqualTo(Termination.exited(3));
        assertThat(Termination.ofWaitStatus(137 << 8)).isEqualTo(Termination.exited(137));
        assertThat(Termination.exited(137).describe()).isEqualTo("exit code 137");
    }

    @Test
    void aSignalIsNamedAlsoWhereItDumpsCore() {
        Termination killed = Termination.ofWaitStatus(9);

        assertThat(killed.signal()).hasValue(9);
        assertThat(killed.describe()).isEqualTo("SIGKILL (exit code 137)");
        assertThat(Termination.ofWaitStatus(11 | 0x80).describe()).isEqualTo("SIGSEGV (exit code 139)");
    }

    @Test
    void everySignalHasAName() {
        assertThat(Termination.signalled(29).describe()).isEqualTo("SIGIO (exit code 157)");
        assertThat(Termination.signalled(34).describe()).isEqualTo("SIGRTMIN (exit code 162)");
        assertThat(Termination.signalled(64).describe()).isEqualTo("SIGRTMIN+30 (exit code 192)");
        assertThat(IntStream.rangeClosed(1, 31).mapToObj(SignalNames::of)).allMatch(name -> name.startsWith("SIG"));
        assertThat(SignalNames.of(33)).isEqualTo("signal 33");
    }

    @Test
    void aProcessThatWasNotStartedIsNoSuccess() {
        Termination refused = Termination.notStarted(ExitCode.NOT_EXECUTABLE, "Permission denied");

        assertThat(refused.isSuccess()).isFalse();
        assertThat(refused.describe()).isEqualTo("could not be started: Permission denied");
    }
}
