package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one process of the warden has done when it ends. */
@Timeout(60)
class WardenShellTest {

    @Test
    @DisplayName("4.22b what a warden that was killed had answered counts, though nobody had read it before its end")
    void answersOutliveTheShell() throws Exception {
        WardenSettings settings =
                new WardenSettings(RunMarker.random(), Duration.ofSeconds(1), Set.of(), Optional.empty());
        WardenShell shell = WardenShell.start(settings.variables(), Guard.none(), System::nanoTime);
        assertThat(shell.give(WardenOrders.PING)).isTrue();
        long before = shell.sent();
        shell.write(WardenOrders.PING);
        shell.write(WardenOrders.PING);
        shell.write("processes KILL " + shell.id());
        assertThat(shell.awaitEnd(Duration.ofSeconds(20))).isTrue();
        shell.write(WardenOrders.PING);

        // The last but one is answered just before the signal.
        assertThat(shell.end(before)).isEqualTo(3);
    }
}
