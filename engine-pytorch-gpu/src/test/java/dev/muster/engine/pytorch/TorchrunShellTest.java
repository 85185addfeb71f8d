package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.launch.EngineResources;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell around torchrun's ranks. What it has in common with that of other hosts is tested with the engine of these. */
@Timeout(60)
class TorchrunShellTest {

    @TempDir
    Path place;

    private String script = "";

    @BeforeEach
    void writeTheScript() throws IOException {
        LaunchPlan plan = new TestJob()
                .processes("torchrun")
                .cards(2)
                .input("torch of the interpreter", new InputValue.CommandOutput(0, "python=3.12 torch=2.15.0\n"))
                .plan();
        FileToWrite file =
                EngineResources.read(plan, PyTorchEngine.class).files().get(0);
        script = Files.writeString(place.resolve(file.name()), file.content()).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    void aRankHasTheEnvironmentThatTorchrunGaveAndTellsItsNumber(String shell) throws Exception {
        Process rank = start(shell, 5, "env; exit 7");

        assertThat(rank.inputReader().lines().toList()).contains("RANK=5").noneMatch(line -> line.contains("muster"));
        assertThat(rank.waitFor()).isEqualTo(7);
        assertThat(place.resolve("started.5")).content().startsWith(rank.pid() + " ");
        assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo("7 5 \nalone\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    @DisplayName(
            "4.4 torchrun hears that a rank has failed when no other of the node runs, and of no rank that the launcher has ended")
    void torchrunHearsOfTheFirstFailureAtTheEnd(String shell) throws Exception {
        Process saving = start(shell, 0, "trap 'read -r line; exit 1' TERM; echo up; while :; do sleep 0.01; done");
        Process obeying = start(shell, 2, "echo up; exec sleep 600");
        assertThat(saving.inputReader().readLine()).isEqualTo("up");
        assertThat(obeying.inputReader().readLine()).isEqualTo("up");
        Process failed = start(shell, 1, "exit 7");
        awaitFile("ended.1");
        assertThat(failed.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();

        Files.createFile(place.resolve(HostedRanks.STOPPING));
        for (Process told : List.of(failed, saving, obeying)) {
            told.toHandle().destroy();
            told.descendants().forEach(ProcessHandle::destroy);
        }
        awaitFile("ended.2");
        assertThat(obeying.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(failed.isAlive()).isTrue();

        saving.outputWriter().close();
        assertThat(failed.waitFor()).isEqualTo(7);
        assertThat(obeying.waitFor()).isZero();
        assertThat(saving.waitFor()).isZero();
        assertThat(Files.readString(place.resolve("ended.0"))).isEqualTo("1 0 \n\n");
        assertThat(Files.readString(place.resolve("ended.2"))).isEqualTo("143 2 \n\n");
    }

    /** Somebody has told torchrun itself to end. */
    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    void whatTorchrunHasEndedItHearsAtOnce(String shell) throws Exception {
        Process other = start(shell, 0, "echo up; read -r line; exit 0");
        assertThat(other.inputReader().readLine()).isEqualTo("up");
        Process ended = start(shell, 1, "kill -s TERM $PPID; kill -s TERM $$");

        assertThat(ended.waitFor()).isEqualTo(143);
        other.outputWriter().close();
        assertThat(other.waitFor()).isZero();
    }

    private Process start(String shell, int rank, String program) throws IOException {
        List<String> words = new ArrayList<>(List.of(shell, script, "/bin/sh", "-c", program));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(place.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "RANK", Integer.toString(rank)));
        return builder.start();
    }

    private void awaitFile(String name) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.exists(place.resolve(name))) {
            assertThat(System.nanoTime()).as("no " + name).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
