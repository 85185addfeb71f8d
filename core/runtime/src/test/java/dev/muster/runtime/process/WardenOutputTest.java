package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** 2.31: when the launcher dies nobody else reads what its ranks print. */
class WardenOutputTest extends WardedProcesses {

    @DisplayName("2.31 when the launcher dies, what an ended rank has left prints its last words into no broken pipe")
    @Test
    void whenTheLauncherDiesItReadsWhatEndedLeadersLeftBehindPrint() throws Exception {
        RandomAccessFile launchersEnd = readOutput();
        Warden warden = warden(Duration.ofSeconds(20));
        CompletableFuture<Termination> end = start(
                warden,
                "sh -c \"trap '' PIPE; trap 'echo saving && : > printed; exit' TERM; : > up;"
                        + " while :; do sleep 0.05; done\" & until [ -e go ]; do sleep 0.01; done");
        await(() -> Files.exists(directory.resolve("up")));
        Files.createFile(directory.resolve("go"));
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(0));

        launchersEnd.close();
        warden.close();

        assertThat(directory.resolve("printed")).exists();
    }

    @DisplayName(
            "2.31c the same where the warden hears of that rank only after its end; what is read already stays as it is")
    @Test
    void whenTheLauncherDiesItReadsWhatLateLeadersLeftBehindPrint() throws Exception {
        RandomAccessFile launchersEnd = readOutput();
        Warden warden = warden(Duration.ofSeconds(20));
        ProcessHandle shell = shell(warden);
        signal("STOP", shell);
        Files.writeString(
                directory.resolve("saver"),
                "trap '' PIPE; trap 'echo saving && : > printed; exit' TERM; : > up-saver; " + LOOP);
        Files.writeString(directory.resolve("counter"), "trap 'seq 20000; exit' TERM; : > up-counter; " + LOOP);
        CompletableFuture<Termination> end = start(
                warden,
                "sh saver & sh counter | (trap '' TERM; exec cat > received) & until [ -e go ]; do sleep 0.01; done");
        await(() -> count("up-") == 2);
        Files.createFile(directory.resolve("go"));
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(0));
        signal("CONT", shell);

        launchersEnd.close();
        warden.close();

        assertThat(directory.resolve("printed")).exists();
        assertThat(Files.readAllLines(directory.resolve("received"))).hasSize(20000);
    }

    @DisplayName("2.31b when the launcher dies before it has told of a process, that prints into no broken pipe either")
    @Test
    void whenTheLauncherDiesItReadsWhatAnUntoldProcessPrints() throws Exception {
        RandomAccessFile launchersEnd = readOutput();
        Warden warden = warden(Duration.ofSeconds(20));
        String saver = "trap 'echo saving && : > printed; exit 0' TERM; : > up; while :; do sleep 0.05; done";
        CompletableFuture<Termination> end = new CompletableFuture<>();
        start(saver, end);
        await(() -> Files.exists(directory.resolve("up")));

        launchersEnd.close();
        warden.close();

        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(0));
        assertThat(directory.resolve("printed")).exists();
    }

    @DisplayName("2.31d what a dead launcher and warden have left does not wait for a reader when it saves")
    @Test
    void whoComesAfterTheDeadReadsWhatTheirRanksPrint() throws Exception {
        RandomAccessFile launchersEnd = readOutput();
        CompletableFuture<Termination> end = new CompletableFuture<>();
        // More than a pipe takes, by no other process, which would get a signal of its own.
        String prints = "i=0; while [ $i -lt 2000 ]; do echo " + "x".repeat(100) + "; i=$((i + 1)); done";
        long leader = start("trap '" + prints + "; : > printed; exit 0' TERM; : > up; " + LOOP, end);
        await(() -> Files.exists(directory.resolve("up")));
        launchersEnd.close();
        Path left = Files.createDirectory(directory.resolve("muster-left"));

        LateWarden.begin(marker, Duration.ofSeconds(15), Set.of(), left, List.of(id(leader)), System::nanoTime);

        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(0));
        assertThat(directory.resolve("printed")).exists();
        await(() -> !Files.exists(left));
    }

    /** Makes what processes print to a pipe, of which this is the launcher's end. */
    private RandomAccessFile readOutput() throws Exception {
        output = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", output.toString()).start().waitFor())
                .isZero();
        return new RandomAccessFile(output.toFile(), "rw");
    }
}
