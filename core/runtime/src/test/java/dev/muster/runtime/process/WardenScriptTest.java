package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script itself, without a {@link Warden}. */
class WardenScriptTest extends WardedProcesses {

    @DisplayName("2.11 a launcher that stands still goes on when the shell of its start script has been killed")
    @Test
    void aLauncherWithoutItsGuardGoesOn() throws Exception {
        Process guard = new ProcessBuilder("/bin/sh", "-c", "sleep 600 & echo $!; read -r word").start();
        long launcher = Long.parseLong(guard.inputReader().readLine());
        Process shell = start(id(launcher), Optional.empty());
        try (Writer orders = shell.outputWriter()) {
            orders.write("1 processes STOP " + id(launcher) + "\n");
            orders.flush();
            assertThat(shell.inputReader().readLine()).isEqualTo("1");
            await(() -> ProcessSurvey.isStopped(launcher));

            guard.destroyForcibly();

            await(() -> !ProcessSurvey.isStopped(launcher));
            orders.write("2 quit\n");
        } finally {
            ProcessHandle.of(launcher).ifPresent(ProcessHandle::destroyForcibly);
            guard.destroyForcibly();
            shell.destroyForcibly();
        }
    }

    /** It would signal every process of the machine, so it is only let loose without its {@code kill}. */
    @Test
    void withoutAMarkerItSignalsNobody() throws Exception {
        for (String orders :
                List.of("", "5", "5 ", " 0123456789abcdef", "5 abc", "x 0123456789abcdef", "5 0123456789abcdeX")) {
            assertThat(saidWithoutKill(orders))
                    .as("signals with orders <%s>", orders)
                    .isEmpty();
        }
    }

    private static String saidWithoutKill(String orders) throws Exception {
        String harmless = "kill() { echo \"kill $*\"; }\n" + WardenScript.text();
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-p", "-c", harmless);
        builder.environment().put("MUSTER_WARDEN", orders);
        builder.redirectInput(new File("/dev/null"));
        Process shell = builder.start();
        try {
            assertThat(shell.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            shell.destroyForcibly();
        }
    }

    @DisplayName(
            "4.11 a launcher that is killed before its warden has heard a word leaves no directory, and nobody of its own")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoWasNeverToldAnythingLooksForItsLauncher(boolean isKilled) throws Exception {
        start(OBEDIENT, new CompletableFuture<>());
        awaitProcesses(2);
        Path run = Files.createDirectory(directory.resolve("muster-run"));
        Process launcher = new ProcessBuilder("sleep", "600").start();
        ProcessId id = id(launcher.pid());
        try {
            Process shell = start(id, Optional.of(run));
            if (isKilled) {
                launcher.destroyForcibly().waitFor();
            }
            shell.getOutputStream().close();
            assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.exists(run)).isNotEqualTo(isKilled);
            awaitProcesses(isKilled ? 0 : 2);
        } finally {
            launcher.destroyForcibly();
        }
    }

    private Process start(ProcessId launcher, Optional<Path> run) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(WardenShell.bash(), "-p", "-c", WardenScript.text(), "warden");
        builder.environment().putAll(new WardenSettings(marker, Duration.ofSeconds(5), Set.of(), run).variables());
        builder.environment().put("MUSTER_WARDEN_LAUNCHER", launcher.pid() + " " + launcher.start());
        return builder.start();
    }
}
