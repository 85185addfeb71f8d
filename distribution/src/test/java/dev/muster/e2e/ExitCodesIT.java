package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The first failure in time decides: its exit code, its rank. */
@ExtendWith(Scenes.class)
class ExitCodesIT {

    static IntStream exitCodes() {
        return Repetitions.isFull()
                ? IntStream.rangeClosed(0, 255)
                : IntStream.of(0, 1, 2, 3, 42, 64, 75, 126, 127, 128, 137, 143, 255);
    }

    @ParameterizedTest
    @MethodSource("exitCodes")
    void theExitCodeOfARankPassesUnchanged(int code, Scene scene) {
        String rank = scene.script("rank", "[ $RANK_ID = 2 ] && exit " + code, code == 0 ? "exit 0" : "exec sleep 600");
        Result result = scene.job(3).with(rank).run().endedWith(code);
        if (code != 0) {
            result.says("rank 2", Integer.toString(code));
        }
        assertThat(result(scene).get("exitCode").asInt()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"HUP,129", "INT,130", "ABRT,134", "KILL,137", "USR1,138", "SEGV,139", "TERM,143"})
    void aRankThatASignalKillsGivesTheShellsCode(String signal, int code, Scene scene) {
        String rank =
                scene.script("rank", "ulimit -c 0", "[ $RANK_ID = 1 ] && kill -s " + signal + " $$", "exec sleep 600");
        scene.job(2).with(rank).run().endedWith(code).says("rank 1", "SIG" + signal);
    }

    @OnEveryJdk
    void theFirstFailureStopsTheOthers(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo saved > $scene/saved-$RANK_ID; exit 0' TERM",
                ": > $scene/ready-$RANK_ID",
                "if [ $RANK_ID = 1 ]; then",
                "  until [ -e $scene/ready-0 -a -e $scene/ready-2 -a -e $scene/ready-3 ]; do sleep 0.02; done",
                "  exit 3",
                "fi",
                "sleep 600 & wait");
        scene.job(4).with(rank).run().endedWith(3).says("rank 1", "exit 3");
        assertThat(scene.beside("saved-0")).exists();
        assertThat(scene.beside("saved-2")).exists();
        assertThat(scene.beside("saved-3")).exists();
    }

    @Test
    void aFailureAfterTheFirstOneChangesNothing(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap '' TERM",
                "if [ $RANK_ID = 1 ]; then echo $$ > $scene/first.part; mv $scene/first.part $scene/first; exit 3; fi",
                "until [ -e $scene/first ]; do sleep 0.01; done",
                "first=/proc/$(cat $scene/first)/stat",
                "until ! grep -qv ') Z ' $first 2> /dev/null; do :; done",
                "sleep 0.02",
                "exit 4");
        for (int run = 0; run < Repetitions.orElse(5); run++) {
            scene.beside("first").toFile().delete();
            scene.job(2).with(rank).run().endedWith(3).says("exit 3: rank 1");
        }
    }

    @Test
    void ranksThatEndEarlyWithSuccessLetTheOthersRunOn(Scene scene) {
        String rank = scene.script(
                "rank",
                "if [ $RANK_ID = 0 ]; then echo $$ > $scene/first.part; mv $scene/first.part $scene/first; exit 0; fi",
                "until [ -e $scene/go ]; do sleep 0.02; done");
        Launched launcher = scene.job(3).with(rank).start();
        scene.awaitFiles("first");
        long first = Long.parseLong(Scene.read(scene.beside("first")).strip());
        Await.until("rank 0 has ended", () -> !Processes.isRunning(first));
        assertThat(launcher.isRunning()).isTrue();
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(0);
    }

    @OnEveryJdk
    void theCodesOfModelArtsOwnBootProgramCanBeHad(Scene scene) {
        String killed = scene.script("killed", "[ $RANK_ID = 1 ] && kill -s KILL $$", "exec sleep 600");
        scene.job(2, "--exit-codes", "modelarts").with(killed).run().endedWith(247);
        String failing = scene.script("failing", "[ $RANK_ID = 1 ] && exit 7", "exec sleep 600");
        scene.job(2, "--exit-codes", "modelarts").with(failing).run().endedWith(7);
        String running = scene.script("running", ": > $scene/ready-$RANK_ID", "exec sleep 600");
        Launched launcher =
                scene.job(2, "--exit-codes", "modelarts").with(running).start();
        scene.awaitFiles("ready-0", "ready-1");
        launcher.signal("TERM").await().endedWith(0);
        scene.job(2)
                .with("/bin/true")
                .set("MUSTER_EXIT_CODES", "modelarts")
                .run()
                .endedWith(0);
    }

    @OnEveryJdk
    void theResultForMachinesNamesTheCause(Scene scene) throws IOException {
        String rank = scene.script("rank", "echo something", "[ $RANK_ID = 1 ] && kill -s SEGV $$", "exec sleep 600");
        scene.job(2).with(rank).run().endedWith(139);
        JsonNode result = result(scene);
        assertThat(result.get("jobId").asText()).isEqualTo("e2e");
        assertThat(result.get("engine").asText()).isEqualTo("ascend");
        assertThat(result.get("exitCode").asInt()).isEqualTo(139);
        assertThat(result.get("exitCodeFrom").asText()).contains("1");
        assertThat(result.get("reason").asText()).contains("rank 1", "SIGSEGV");
        JsonNode failed = result.get("processes").get(1);
        assertThat(failed.get("rank").asInt()).isEqualTo(1);
        assertThat(failed.get("pid").asLong()).isPositive();
        assertThat(failed.get("signal").asInt()).isEqualTo(11);
        assertThat(failed.get("bytesLogged").asLong()).isEqualTo("something\n".length());
        assertThat(failed.get("bytesLost").asLong()).isZero();
        assertThat(failed.get("log").asText()).isEqualTo(scene.log(1).toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(resultFile(scene))))
                .isEqualTo("rw-r-----");
    }

    private static JsonNode result(Scene scene) {
        return Json.parse(Scene.read(resultFile(scene)));
    }

    private static Path resultFile(Scene scene) {
        return scene.directory().resolve("muster-logs/e2e-node-0-result.json");
    }
}
