package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** One of eight ranks dies at a random moment, many times over; signals come at random moments of the launcher's own start. */
@OnEveryEngine
class RandomDeathIT {

    private static final int PROCESSES = 8;

    /** Prints numbered lines and notes beside the log how many; ends with their number when it is told to. */
    private static final String PRINTER = """
            import os, signal, struct, sys, time

            rank, directory = sys.argv[1:]
            told = []
            signal.signal(signal.SIGTERM, lambda *_: told.append(1))
            notes = os.open(directory + "/count-" + rank, os.O_CREAT | os.O_RDWR)
            with open(directory + "/pid-" + rank, "w") as file:
                file.write(str(os.getpid()))
            count = 0
            while not told:
                line = b"rank %s line %d %s\\n" % (rank.encode(), count, b"x" * (count % 97))
                assert os.write(1, line) == len(line)
                count += 1
                os.pwrite(notes, struct.pack(">i", count), 0)
                time.sleep(0.001)
            os.write(1, b"rank %s end after %d" % (rank.encode(), count))
            """;

    @OnEveryJdk
    void oneOfEightRanksDies(Scene scene) throws IOException {
        Components.require("python3");
        Scene.write(scene.beside("printer.py"), PRINTER);
        Random random = new Random();
        int processes = scene.engine().atMost(PROCESSES);
        String rank = scene.script("rank", "exec python3 $scene/printer.py $me $scene/here/notes");
        for (int run = 0; run < scene.engine().repetitions(10); run++) {
            scene.command("rm", "-rf", "muster-logs", "notes").run();
            Path notes = Files.createDirectory(scene.directory().resolve("notes"));
            int victim = random.nextInt(processes);
            int lines = 1 + random.nextInt(60);
            Launched launcher =
                    scene.job(processes, "--prefix", "none").with(rank).start();
            Await.until("all ranks print", () -> allPrint(notes, processes));
            int seen = count(notes, victim);
            Await.until("the victim has printed some more", () -> count(notes, victim) >= seen + lines);
            Processes.signal("KILL", Long.parseLong(Scene.read(notes.resolve("pid-" + victim))));
            Result result = launcher.await().endedWith(137).says("SIGKILL");
            assertThat(result.messages())
                    .containsPattern("exit 137: " + scene.engine().failing(victim) + " ");
            scene.assertNothingIsLeft();
            if (scene.engine().startsProcessesItself()) {
                check(scene, notes, victim, processes, result);
            }
        }
    }

    private static boolean allPrint(Path notes, int processes) {
        for (int rank = 0; rank < processes; rank++) {
            if (count(notes, rank) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int count(Path notes, int rank) {
        try {
            byte[] bytes = Files.readAllBytes(notes.resolve("count-" + rank));
            return bytes.length < Integer.BYTES
                    ? 0
                    : java.nio.ByteBuffer.wrap(bytes).getInt();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private static void check(Scene scene, Path notes, int victim, int processes, Result result) {
        Set<String> shown = new HashSet<>(result.outputLines());
        for (int rank = 0; rank < processes; rank++) {
            int count = count(notes, rank);
            String log = Scene.read(scene.log(rank));
            StringBuilder expected = new StringBuilder();
            for (int line = 0; line < count; line++) {
                expected.append(line(rank, line)).append('\n');
            }
            if (rank == victim) {
                // It may have died between a line and the note of it.
                assertThat(log).isIn(expected.toString(), expected + line(rank, count) + "\n");
            } else {
                assertThat(log).isEqualTo(expected + "rank " + rank + " end after " + count);
            }
            assertThat(shown).as("standard output").containsAll(log.lines().toList());
        }
    }

    private static String line(int rank, int number) {
        return "rank " + rank + " line " + number + " " + "x".repeat(number % 97);
    }

    @OnEveryJdk
    void aSignalAtAnyMomentOfTheStartLeavesNothing(Scene scene) {
        String rank = scene.script("rank", "exec sleep 600");
        for (int run = 0; run < scene.engine().repetitions(12); run++) {
            // Spread over the start: from before the first line of main to the last rank.
            String moment = String.format("0.%03d", 10 + 37 * run % 400);
            String kill = "\"$@\" & sleep " + moment + "; kill -s TERM $!; wait $!";
            Result result = scene.job(scene.engine().atMost(PROCESSES))
                    .with(rank)
                    .behind("/bin/sh", "-c", kill, "sh")
                    .run();
            result.wasTerminated();
            scene.assertNothingIsLeft();
        }
    }
}
