package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.HostedRanks;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a warden does when its launcher has died. */
class WardenAloneTest extends WardedProcesses {

    @Test
    void itEndsAsSoonAsNobodyIsLeft() throws Exception {
        Warden warden = warden(Duration.ofMinutes(10));
        CompletableFuture<Termination> end = start(warden, OBEDIENT);
        awaitProcesses(2);
        ProcessHandle shell = shell(warden);

        warden.close();

        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
        shell.onExit().get(20, TimeUnit.SECONDS);
    }

    @DisplayName("4.23 when the launcher dies, who leaves its group because of the signal gets it once")
    @Test
    void whenTheLauncherDiesWhoLeavesItsGroupHearsOnce() throws Exception {
        Warden warden = warden(Duration.ofSeconds(2));
        String child = """
                import os, signal, time
                def heard(*_):
                    open('heard', 'a').write('x')
                    os.setpgid(0, 0)
                signal.signal(15, heard)
                open('up', 'w')
                until = time.time() + 600
                while time.time() < until and not os.path.exists('heard'):
                    time.sleep(0.01)
                time.sleep(0.5)
                """;
        Files.writeString(directory.resolve("child.py"), child);
        adopt(warden, "python3 child.py & trap '' TERM; wait");
        await(() -> Files.exists(directory.resolve("up")));
        TimeUnit.MILLISECONDS.sleep(150); // a signal within a tenth of a second of the start is sent again

        warden.close();

        assertThat(directory.resolve("heard")).hasContent("x");
    }

    @Test
    void whenTheLauncherDiesItEndsAllProcessesEvenStubbornAndEscapedOnes() throws Exception {
        Warden warden = warden(Duration.ofMillis(300));
        CompletableFuture<Termination> stubborn = start(warden, STUBBORN);
        CompletableFuture<Termination> other =
                start(warden, "setsid sh -c \"trap '' TERM; while :; do sleep 600; done\" & sleep 600");
        awaitProcesses(6);

        // As if the launcher had died: the pipe closes without a word.
        warden.close();

        awaitProcesses(0);
        assertThat(stubborn.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(9));
        assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
    }

    @Test
    void whenTheLauncherDiesBeforeItHasToldOfAProcessTheMarkerIsEnough() throws Exception {
        Warden warden = warden(Duration.ofMillis(300));
        CompletableFuture<Termination> end = new CompletableFuture<>();
        long untold = start(STUBBORN, end);
        awaitProcesses(2);
        warden.signalProcesses("CONT", List.of(id(untold)));

        warden.close();

        awaitProcesses(0);
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(9));
    }

    /** As ranks that save something need the mpirun above them, also one whose environment is not to be seen any more. */
    @ParameterizedTest
    @ValueSource(strings = {"", "env -i "})
    void whenTheLauncherDiesForerunnersHaveTheirTimeBeforeAllOthers(String without) throws Exception {
        Files.writeString(
                directory.resolve("rank"),
                "trap 'sleep 1 && : > saved; exit' TERM; : > up; while :; do sleep 0.1; done");
        Path run = Files.createDirectory(directory.resolve("run"));
        Warden warden = warden(Duration.ofSeconds(20), Set.of("RANK", "SIZE"), Optional.of(run));
        CompletableFuture<Termination> leader = start(
                warden,
                "trap 'test -e saved && exit 7; exit 8' TERM; RANK=0 sh -c '" + without
                        + "sh ./rank; :' & while :; do sleep 0.1; done");
        await(() -> Files.exists(directory.resolve("up")));

        warden.close();

        assertThat(leader.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(7));
        assertThat(run.resolve(HostedRanks.STOPPING)).exists();
        awaitProcesses(0);
    }

    /** As a torchrun would tell them once more; a shell that waits for a rank may say how it has ended. */
    @DisplayName("4.4 when the launcher dies stubborn forerunners hear once, and are killed before the others hear")
    @ParameterizedTest
    @CsvSource({"'', false", "env -i PATH=\"$PATH\", false", "env -i PATH=\"$PATH\", true"})
    void whenTheLauncherDiesStubbornForerunnersAreKilledBeforeTheOthersHear(String without, boolean isReplaced)
            throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.writeString(
                directory.resolve("rank"), "trap 'echo TERM >> told' TERM; : > up; while :; do sleep 0.1; done");
        Files.writeString(directory.resolve("waits"), "trap : TERM; sh ./rank; : > ended");
        Files.writeString(
                directory.resolve("shell"),
                "read -r stat < /proc/$$/stat; set -- ${stat##*) }; shift 19; echo $$ $1 > run/started.0\n"
                        + ": > began; until [ -e seen ]; do sleep 0.05; done; exec " + without + " sh ./waits");
        Warden warden = warden(Duration.ofSeconds(1), Set.of("RANK"), Optional.of(run));
        CompletableFuture<Termination> agent = start(
                warden, "trap 'test -e ended && exit 7; exit 8' TERM; RANK=0 sh ./shell & while :; do sleep 0.1; done");
        await(() -> Files.exists(directory.resolve("began")));
        warden.lookAt(table);
        if (isReplaced) {
            shell(warden).destroyForcibly();
            await(() -> {
                warden.check();
                return !warnings.isEmpty();
            });
        }
        Files.createFile(directory.resolve("seen"));
        await(() -> Files.exists(directory.resolve("up")));

        warden.close();

        assertThat(agent.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(7));
        assertThat(directory.resolve("told")).hasContent("TERM");
        awaitProcesses(0);
    }

    @Test
    void whenTheLauncherDiesItRemovesThePrivateDirectoryOnceNobodyIsLeft() throws Exception {
        Path mine = Files.createDirectories(directory.resolve("muster-place/tmp/muster-ab c'd"));
        Files.writeString(mine.resolve("key"), "secret");
        Warden warden = warden(Duration.ofSeconds(20), Set.of(), Optional.of(mine));
        adopt(
                warden,
                "trap 'test -s key && : > ../../../saw-key; exit' TERM; cd \"" + mine
                        + "\"; while :; do sleep 0.1; done");
        awaitProcesses(2);

        warden.close();

        await(() -> !Files.exists(mine));
        assertThat(directory.resolve("saw-key")).exists();
    }

    @Test
    void itRemovesNothingButWhatALauncherHasMade() throws Exception {
        for (String name : List.of("precious", "muster-1/precious")) {
            Path other = Files.createDirectories(directory.resolve(name));
            Warden warden = warden(Duration.ofSeconds(20), Set.of(), Optional.of(other));
            adopt(warden, "exec sleep 60");
            ProcessHandle shell = shell(warden);

            warden.close();

            shell.onExit().get(20, TimeUnit.SECONDS);
            assertThat(other).exists();
        }
    }
}
