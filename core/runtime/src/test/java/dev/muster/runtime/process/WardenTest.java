package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.HostedRanks;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WardenTest {

    private static final String LOOP = "while :; do sleep 0.05; done";
    private static final String OBEDIENT = "sleep 600 & wait";
    private static final String STUBBORN = "trap '' TERM; sleep 600 & echo up; wait; sleep 600";

    @TempDir
    Path directory;

    private final RunMarker marker = RunMarker.random();
    private final ProcessTable table = ProcessTable.ofThisLauncher(marker);
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<ProcessId> shells = new CopyOnWriteArrayList<>();
    private final List<Long> started = new ArrayList<>();
    private Path output = Path.of("/dev/null");

    @AfterEach
    void leaveNothing() {
        table.find(started)
                .forEach(process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Test
    void aSignalReachesTheWholeGroup() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);

            warden.signalGroups("TERM", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
            awaitProcesses(0);
        }
    }

    @Test
    void aSignalToAProcessLeavesItsChildrenAlone() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);

            warden.signalProcesses("USR1", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(10));
            awaitProcesses(1);
        }
    }

    @Test
    void aStoppedProcessIsWokenToEnd() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);
            warden.signalGroups("STOP", List.of());
            warden.signalProcesses("STOP", ids());

            warden.signalGroups("TERM", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
        }
    }

    @Test
    void aSignalRightAfterTheStartIsNotLost() throws Exception {
        for (int attempt = 0; attempt < 50; attempt++) {
            try (Warden warden = warden(Duration.ofSeconds(5))) {
                CompletableFuture<Termination> end = start(warden, "exec sleep 600");

                warden.signalGroups("TERM", List.of(id(started.get(attempt))));

                assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
                // Nobody is left that it would have to look for.
                warden.dismiss();
            }
        }
    }

    @DisplayName("2.33 a warden that stands still when the run is over does not stay")
    @Test
    void itEndsThoughItStandsStill() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            ProcessHandle shell = shell(warden);
            signal("STOP", shell);

            warden.dismiss();

            await(() -> !shell.isAlive());
        }
    }

    @DisplayName("4.12 whoever looks after a warden hears of its death at once, and not at the next look")
    @Test
    void itsDeathIsHeardOfAtOnce() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Boolean> dies = CompletableFuture.supplyAsync(() -> warden.dies(Duration.ofHours(1)));

            shell(warden).destroyForcibly();

            assertThat(dies.get(20, TimeUnit.SECONDS)).isTrue();
            warden.check();
            assertThat(warnings).singleElement().asString().contains("another one has taken over");
        }
    }

    @Test
    void itIsReplacedWhenItIsKilled() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);
            shell(warden).destroyForcibly();

            await(() -> {
                warden.check();
                return !warnings.isEmpty();
            });

            assertThat(warnings).singleElement().asString().contains("another one has taken over");
            assertThat(shells).hasSize(2).last().isEqualTo(warden.identity().orElseThrow());
            warden.signalGroups("TERM", ids());
            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
        }
    }

    @DisplayName(
            "4.22 a warden that is killed while it signals is replaced by one that goes on behind what it has done")
    @Test
    void aWardenThatIsKilledInTheMiddleLetsNobodyHearTwice() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            for (int rank = 0; rank < 40; rank++) {
                adopt(warden, "trap 'echo heard >> heard." + rank + "' ALRM; : > up." + rank + "; " + LOOP);
            }
            await(() -> count("up.") == 40);
            List<ProcessId> withItself =
                    new ArrayList<>(started.stream().map(WardenTest::id).toList());
            // It sends the signal to itself, too, and does not ignore this one.
            withItself.add(11, warden.identity().orElseThrow());

            warden.signalGroups("ALRM", withItself);

            await(() -> heard() == 40);
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
            assertThat(warnings).singleElement().asString().contains("was killed; another one has taken over");
            for (int rank = 0; rank < 40; rank++) {
                assertThat(directory.resolve("heard." + rank))
                        .as("rank %d", rank)
                        .hasContent("heard");
            }
        }
    }

    /** How many have finished their words. */
    private long heard() {
        return IntStream.range(0, 40)
                .filter(rank -> directory.resolve("heard." + rank).toFile().length() > 0)
                .count();
    }

    private int count(String prefix) {
        return Objects.requireNonNull(directory.toFile().list((folder, name) -> name.startsWith(prefix))).length;
    }

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

    @Test
    void knowsWhoCarriesMarkerAndVariable() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sleep 600 & RANKED=1 sleep 600 & env -u MUSTER_JOB RANK=2 sleep 600 & wait");
            awaitProcesses(4);
            awaitPrograms("sleep", 3);

            assertThat(table.findCarriers(List.of("RANK", "SIZE")))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.process().parent()).isEqualTo(started.get(0));
                        assertThat(found.process().name()).isEqualTo("sleep");
                        assertThat(found.isLed()).isTrue();
                    });
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
        }
    }

    @DisplayName("3.4b a rank under mpirun that overwrites its environment is one all the same")
    @Test
    void knowsWhoDescendsFromARank() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sh -c 'env -i setsid /bin/sleep 600 & env -u RANK /bin/sleep 600 & wait' & wait");
            awaitPrograms("sleep", 2);
            List<ProcessTable.Carrier> found = table.findCarriers(List.of("RANK"));
            assertThat(found).extracting(carrier -> carrier.process().name()).containsExactly("sh", "sleep", "sleep");

            LiveProcess shell = found.get(0).process();
            ProcessHandle.of(shell.pid()).orElseThrow().destroyForcibly();

            await(() -> ProcessTable.hasEnded(shell.pid()));
            assertThat(table.findCarriers(List.of("RANK")))
                    .extracting(carrier -> carrier.process().name())
                    .containsExactly("sleep", "sleep");
        }
    }

    @Test
    void knowsWhatACarrierLeftBehind() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sh -c 'sleep 600 & exit'; sleep 600 & wait");
            awaitProcesses(3);
            awaitPrograms("sleep", 2);

            assertThat(table.findCarriers(List.of("RANK")))
                    .singleElement()
                    .satisfies(found -> assertThat(found.isLed()).isFalse());
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
        }
    }

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

    @DisplayName("6.6 who descends from a carrier of the marker is ours, and stays ours when that one has ended")
    @Test
    void knowsWhoDescendsFromACarrier() throws Exception {
        Warden warden = warden(Duration.ofSeconds(5));
        adopt(warden, "setsid sh -c 'env -i setsid /bin/sleep 600 & wait' & wait");
        awaitProcesses(3);
        awaitPrograms("sleep", 1);
        LiveProcess child = table.find(started).stream()
                .filter(process -> process.name().equals("sleep"))
                .findFirst()
                .orElseThrow();

        ProcessHandle.of(child.parent()).orElseThrow().destroyForcibly();

        await(() -> ProcessTable.hasEnded(child.parent()));
        assertThat(table.find(started)).extracting(LiveProcess::pid).contains(child.pid());
        warden.lookAt(table);
        warden.close();
        assertThat(ProcessTable.isThere(child.pid(), child.id().start())).isFalse();
    }

    @DisplayName(
            "6.7 whom a rank has started that ended before anybody looked is ours by its session, without marker and parent")
    @Test
    void knowsTheSessionOfAnEndedLeader() throws Exception {
        Warden warden = warden(Duration.ofSeconds(5));
        Path go = directory.resolve("go");
        String script = "until [ -e " + go + " ]; do sleep 0.01; done; env -i /bin/sleep 600 & exit 3";
        CompletableFuture<Termination> end = start(warden, script);
        Files.createFile(go);
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(3));

        awaitPrograms("sleep", 1);

        warden.lookAt(table);
        LiveProcess left = table.find(List.of()).get(0);
        warden.close();
        assertThat(ProcessTable.isThere(left.pid(), left.id().start())).isFalse();
    }

    @DisplayName("2.11 a launcher that stands still goes on when the shell of its start script has been killed")
    @Test
    void aLauncherWithoutItsGuardGoesOn() throws Exception {
        Process guard = new ProcessBuilder("/bin/sh", "-c", "sleep 600 & echo $!; read -r word").start();
        long launcher = Long.parseLong(guard.inputReader().readLine());
        ProcessBuilder builder = new ProcessBuilder(WardenShell.bash(), "-p", "-c", script(), "warden");
        builder.environment()
                .putAll(new WardenSettings(marker, Duration.ofSeconds(5), Set.of(), Optional.empty()).variables());
        builder.environment()
                .put("MUSTER_WARDEN_LAUNCHER", launcher + " " + id(launcher).start());
        Process shell = builder.start();
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
        byte[] script = Files.readAllBytes(Path.of(WardenTest.class
                .getResource("/dev/muster/runtime/process/warden.sh")
                .toURI()));
        String harmless = "kill() { echo \"kill $*\"; }\n" + new String(script, StandardCharsets.US_ASCII);
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
        ProcessBuilder builder = new ProcessBuilder(WardenShell.bash(), "-p", "-c", script(), "warden");
        builder.environment()
                .putAll(new WardenSettings(marker, Duration.ofSeconds(5), Set.of(), Optional.of(run)).variables());
        builder.environment().put("MUSTER_WARDEN_LAUNCHER", id.pid() + " " + id.start());
        try {
            Process shell = builder.start();
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

    private static String script() throws IOException {
        try (InputStream script = WardenShell.class.getResourceAsStream("warden.sh")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private Warden warden(Duration grace) {
        return warden(grace, Set.of(), Optional.empty());
    }

    private Warden warden(Duration grace, Set<String> forerunners, Optional<Path> run) {
        Warden warden =
                new Warden(marker, grace, forerunners, run, Guard.none(), System::nanoTime, shells::add, warnings::add);
        warden.start();
        return warden;
    }

    private static ProcessHandle shell(Warden warden) {
        return ProcessHandle.of(warden.identity().orElseThrow().pid()).orElseThrow();
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        List<String> command = List.of("sh", "-c", "kill -s " + name + " " + process.pid());
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    private List<ProcessId> ids() {
        return started.stream().map(WardenTest::id).toList();
    }

    private static ProcessId id(long pid) {
        return ProcessTable.identify(pid).orElseThrow();
    }

    private void adopt(Warden warden, String script) throws IOException {
        assertThat(start(warden, script)).isNotCompletedExceptionally();
    }

    private CompletableFuture<Termination> start(Warden warden, String script) throws IOException {
        CompletableFuture<Termination> end = new CompletableFuture<>();
        ProcessId id = id(start(script, end));
        warden.adopt(id);
        table.adopt(id);
        return end;
    }

    private long start(String script, CompletableFuture<Termination> end) throws IOException {
        ProcessLauncher launcher = new ProcessLauncher(
                new InheritedEnvironment(new TreeMap<>(), new TreeSet<>()),
                marker,
                IgnoredSignals.none(),
                new OpenFiles(Path.of("/")),
                table::ended);
        long pid = launcher.start(
                        new ProcessRequest(
                                "test",
                                List.of("/bin/sh", "-c", script),
                                new TreeMap<>(),
                                new TreeSet<>(),
                                directory,
                                Optional.of(output)),
                        end::complete)
                .pid();
        started.add(pid);
        return pid;
    }

    /** A process has the name of its shell until its program has been loaded. */
    private void awaitPrograms(String name, int count) throws InterruptedException {
        await(() -> table.find(started).stream()
                        .filter(process -> process.name().equals(name))
                        .count()
                == count);
    }

    private void awaitProcesses(int count) throws InterruptedException {
        await(() -> table.find(started).size() == count);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
