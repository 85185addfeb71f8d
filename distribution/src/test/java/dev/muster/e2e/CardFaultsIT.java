package dev.muster.e2e;

import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Process-level recovery: the platform lists faults of cards in a file, as MindX DL does in {@code reset.json}. */
@ExtendWith(Scenes.class)
class CardFaultsIT {

    private static final String TABLE = RankTables.templateOne(server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));
    private static final String NO_FAULTS = "{\"RankList\":null,\"RetryTime\":0,\"FaultFlushing\":false}";
    private static final String FAULT =
            "{'RankList': [{'RankId': 1, 'Status': 'unrecovered', 'Policy': None}, {'RankId': 9, 'Status': 'unrecovered'}]}";
    private static final String RECOVERED =
            "{\"RankList\":[{\"RankId\":1,\"Status\":\"recovered\"},{\"RankId\":9,\"Status\":\"unrecovered\"}]}";

    private static Invocation launcher(Scene scene, Path resets, String... options) {
        Scene.write(scene.beside("table.json"), TABLE);
        String rank = scene.script(
                "rank",
                "trap ': > $scene/saved-$MUSTER_RUN-$RANK_ID; exit 0' TERM",
                ": > $scene/run-$MUSTER_RUN-rank-$RANK_ID",
                "until [ -e $scene/end-$MUSTER_RUN-$RANK_ID ]; do sleep 0.02; done",
                "exit $(cat $scene/end-$MUSTER_RUN-$RANK_ID)");
        return scene.apart(scene.muster("--engine", "ascend", "--job-id", scene.jobId())
                .with("--rank-table", scene.beside("table.json").toString())
                .with("--reset-file", resets.toString())
                .with("--grace", "3s")
                .with(options)
                .with("--", rank));
    }

    private static void end(Scene scene, int run, int rank, int code) throws IOException {
        Path written = scene.beside("written");
        Scene.write(written, Integer.toString(code));
        Files.move(written, scene.beside("end-" + run + "-" + rank), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes the file as the kubelet writes a ConfigMap. */
    private static void list(Scene scene, String content) throws IOException {
        Path directory = Files.createDirectories(scene.beside("reset"));
        Path data = Files.createTempDirectory(directory, "..data-");
        Scene.write(data.resolve("reset.json"), content);
        Path link = Files.createSymbolicLink(directory.resolve("..tmp"), data.getFileName());
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        if (!Files.isSymbolicLink(directory.resolve("reset.json"))) {
            Files.createSymbolicLink(directory.resolve("reset.json"), Path.of("..data/reset.json"));
        }
    }

    private static List<JsonNode> runs(Scene scene) {
        JsonNode runs = Json.parse(Scene.read(scene.resultFile())).get("attempts");
        return StreamSupport.stream(runs.spliterator(), false).toList();
    }

    @Test
    @DisplayName("a fault ends the attempt with SIGKILL at once; the next begins when the faulty ranks have recovered")
    void aFaultEndsTheRunAndItsRecoveryBeginsTheNext(Scene scene) throws IOException {
        list(scene, NO_FAULTS);
        Launched launcher = launcher(scene, scene.beside("reset/reset.json"), "--restarts", "2")
                .start();
        scene.awaitFiles("run-1-rank-0", "run-1-rank-1");
        list(scene, FAULT.substring(0, 40));
        list(scene, FAULT);
        launcher.awaitMessage("the platform lists a fault of rank 1 in ");
        launcher.awaitMessage("lists rank 1 as not recovered");
        list(scene, "");
        Files.delete(scene.beside("reset/reset.json"));
        launcher.awaitMessage("reset.json does not exist");
        assertThat(scene.beside("run-2-rank-0")).doesNotExist();
        list(scene, RECOVERED);
        scene.awaitFiles("run-2-rank-0", "run-2-rank-1");
        end(scene, 2, 0, 0);
        end(scene, 2, 1, 0);
        launcher.await().endedWith(0).says("SIGKILL at once", "after 2 runs");
        assertThat(scene.beside("saved-1-0")).doesNotExist();
        assertThat(runs(scene)).extracting(run -> run.get("kind").asText()).containsExactly("failure", "success");
        assertThat(runs(scene)).extracting(run -> run.get("exitCode").asInt()).containsExactly(75, 0);
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("after a failure the launcher waits for the list, which names the fault behind it")
    void aFailureThatIsAFault(Scene scene) throws IOException {
        list(scene, NO_FAULTS);
        Launched launcher = launcher(scene, scene.beside("reset/reset.json"), "--restarts", "1")
                .start();
        scene.awaitFiles("run-1-rank-0", "run-1-rank-1");
        end(scene, 1, 1, 7);
        launcher.awaitMessage("looking up to 10s whether ");
        list(scene, FAULT);
        launcher.awaitMessage("the platform lists a fault of rank 1 in ");
        list(scene, NO_FAULTS);
        scene.awaitFiles("run-2-rank-0", "run-2-rank-1");
        // No restart is left, so the launcher does not wait for the list.
        list(scene, FAULT);
        end(scene, 2, 0, 8);
        launcher.await().endedWith(8).says("the platform lists a fault of rank 1 in ", "after 2 runs");
        assertThat(runs(scene)).extracting(run -> run.get("exitCode").asInt()).containsExactly(75, 8);
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("--reset-file without --restarts is refused; a fault that stays is 75")
    void whatCannotBeIsSaid(Scene scene) throws IOException {
        list(scene, FAULT);
        Path resets = scene.beside("reset/reset.json");
        launcher(scene, resets).run().endedWith(78).says("--reset-file=" + resets, "--restarts N");
        launcher(scene, resets, "--restarts", "1", "--input-timeout", "1s")
                .run()
                .endedWith(75)
                .says("lists rank 1 as not recovered after 1s", "(named by --reset-file)");
        assertThat(scene.beside("run-1-rank-0")).doesNotExist();
    }
}
