package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Any engine on any platform: the cells of the table in {@code docs/platforms/README.md}, in environments of real jobs. The words
 * behind the engine are options that the command line needs. A cell ends in a plan of the whole job, or in a refusal. {@link
 * KubernetesPodsIT} has plans and refusals of such pods with a real launcher.
 */
@ExtendWith(Scenes.class)
class PlatformMatrixIT {

    private static final String TABLE = "TABLE";
    private static final String PAIR = "PAIR";

    private static final String[] PLANNED = {
        "pytorchjob-worker-1 | ascend | --rank-table TABLE | pytorchjob | 2 of 3",
        "pytorchjob-worker-1 | pytorch-gpu |  | pytorchjob | 2 of 3",
        "pytorchjob-worker-1 | tensorflow-ps |  | pytorchjob | 2 of 3",
        "pytorchjob-worker-1 | mpi | -o ssh-key=/keys/job | pytorchjob | 2 of 3",
        "tfjob-workers-worker-1 | pytorch-gpu |  | tfjob | 1 of 2",
        "tfjob-workers-worker-1 | tensorflow-ps |  | tfjob | 1 of 2",
        "tfjob-workers-worker-1 | mpi | -o ssh-key=/keys/job | tfjob | 1 of 2",
        "tfjob-ps-0 | tensorflow-ps |  | tfjob | ps-0",
        "trainer-node-1 | ascend | --rank-table PAIR | trainer | 1 of 2",
        "trainer-node-1 | pytorch-gpu |  | trainer | 1 of 2",
        "trainer-node-1 | tensorflow-ps |  | trainer | 1 of 2",
        "trainer-node-1 | mpi | -o ssh-key=/keys/job | trainer | 1 of 2",
        "jaxjob-worker-1 | ascend | --rank-table PAIR | jaxjob | 1 of 2",
        "jaxjob-worker-1 | pytorch-gpu |  | jaxjob | 1 of 2",
        "jaxjob-worker-1 | tensorflow-ps |  | jaxjob | 1 of 2",
        "jaxjob-worker-1 | mpi | -o ssh-key=/keys/job | jaxjob | 1 of 2",
        "volcano-worker-2 | ascend | --rank-table TABLE | volcano | 2 of 3",
        "volcano-worker-2 | pytorch-gpu |  | volcano | 2 of 3",
        "volcano-worker-2 | tensorflow-ps |  | volcano | 2 of 3",
        "volcano-worker-2 | mpi | -o ssh-key=/keys/job | volcano | 2 of 3",
        "volcano-master-worker-worker-1 | pytorch-gpu |  | volcano | 2 of 3",
        "volcano-master-worker-worker-1 | mpi | -o ssh-key=/keys/job | volcano | 2 of 3",
        "volcano-pytorch-worker-1 | pytorch-gpu |  | volcano | 2 of 3",
        "indexed-job-1 | ascend | --nodes 3 --rank-table TABLE | indexed-job | 1 of 3",
        "indexed-job-1 | pytorch-gpu | --nodes 3 --master-addr idx-0.idx | indexed-job | 1 of 3",
        "indexed-job-1 | tensorflow-ps | --hosts idx-0.idx,idx-1.idx,idx-2.idx | indexed-job | 1 of 3",
        "indexed-job-1 | mpi | --hosts idx-0.idx,idx-1.idx,idx-2.idx -o ssh-key=/keys/job | indexed-job | 1 of 3",
        "acjob-pytorch-1 | pytorch-gpu |  | acjob | 1 of 2",
        "mindx-dl-1 | pytorch-gpu |  | mindx-dl | 1 of 2",
        "mindx-dl-1 | tensorflow-ps |  | mindx-dl | 1 of 2",
        "mindx-dl-1 | mpi | -o ssh-key=/keys/job | mindx-dl | 1 of 2",
        "apulis-gpu-worker-1 | pytorch-gpu |  | apulis | 1 of 2",
        "apulis-gpu-worker-1 | tensorflow-ps |  | apulis | worker-1",
    };

    private static final String[] REFUSED = {
        "pytorchjob-worker-1 | ascend | 78 | there is no rank table",
        "tfjob-workers-worker-1 | ascend | 78 | there is no rank table",
        "tfjob-ps-worker-1 | pytorch-gpu | 78 | tensorflow-ps",
        "tfjob-ps-worker-1 | mpi | 78 | tensorflow-ps",
        "mpijob-launcher-0 | pytorch-gpu | 78 | --engine mpi",
        "mpijob-launcher-0 | tensorflow-ps | 78 | --engine mpi",
        "mpijob-launcher-0 | ascend | 78 | --engine mpi",
        "mpijob-worker-1 | mpi | 78 | this is a worker of an MPIJob",
        "volcano-worker-2 | ascend | 78 | there is no rank table",
        "volcano-ps-worker-worker-1 | pytorch-gpu | 78 | tensorflow-ps",
        "volcano-ps-worker-worker-1 | mpi | 78 | tensorflow-ps",
        "indexed-job-1 | pytorch-gpu | 78 | --nodes N",
        "indexed-job-1 | tensorflow-ps | 78 | --nodes N",
        "indexed-job-1 | mpi | 78 | --nodes N",
        "acjob-pytorch-1 | ascend | 78 | acjob",
        "acjob-pytorch-1 | tensorflow-ps | 78 | acjob",
        "acjob-pytorch-1 | mpi | 78 | acjob",
        "slurm-step-n2 | ascend | 78 | there is no rank table",
    };

    @Test
    void aNodeIsPlannedAsThatOfTheWholeJob(Scene scene) {
        assertAll(scene, PLANNED, cell -> cell[2], (cell, answer) -> {
            assertThat(answer.exitCode()).isZero();
            JsonNode node = Json.parse(answer.output()).path("nodes").path(0);
            String where =
                    node.path("index").asText() + " of " + node.path("count").asText();
            assertThat(node.path("platform").path("name").asText()).isEqualTo(cell[3]);
            assertThat(List.of(where, node.path("planName").asText())).contains(cell[4]);
        });
    }

    @Test
    void whatMakesNoSenseIsRefusedWithASentence(Scene scene) {
        assertAll(scene, REFUSED, cell -> "", (cell, answer) -> {
            assertThat(answer.exitCode()).isEqualTo(Integer.parseInt(cell[2]));
            assertThat(answer.messages()).contains(cell[3]);
        });
    }

    /** Tries all cells, and reports all that are wrong. */
    private static void assertAll(
            Scene scene, String[] table, Function<String[], String> options, BiConsumer<String[], Result> expectation) {
        List<String[]> cells =
                Stream.of(table).map(line -> line.split(" \\| ", -1)).toList();
        List<Result> answers = plans(scene, cells, options);
        List<String> wrong = new ArrayList<>();
        for (int at = 0; at < cells.size(); at++) {
            try {
                expectation.accept(cells.get(at), answers.get(at));
            } catch (AssertionError problem) {
                wrong.add(table[at] + ": " + problem.getMessage() + "\nof " + answers.get(at));
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Result> plans(Scene scene, List<String[]> cells, Function<String[], String> options) {
        Components.requireRoot();
        Components.require("mpirun", "unshare");
        RankTables.Pod first = RankTables.server("192.168.0.25", "0 10.0.0.1");
        RankTables.Pod second = RankTables.server("192.168.0.26", "0 10.0.0.2");
        RankTables.Pod third = RankTables.server("192.168.0.27", "0 10.0.0.3");
        Scene.write(scene.beside(TABLE), RankTables.templateOne(first, second, third));
        Scene.write(scene.beside(PAIR), RankTables.templateOne(first, second));
        List<Result> answers = new ArrayList<>();
        for (String[] cell : cells) {
            List<String> words = new ArrayList<>(List.of("plan", "--format", "json", "--engine", cell[1]));
            Stream.of(options.apply(cell).split(" ", -1))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.replace(TABLE, scene.beside(TABLE).toString())
                            .replace(PAIR, scene.beside(PAIR).toString()))
                    .forEach(words::add);
            words.addAll(List.of("--", "/bin/true"));
            answers.add(RecordedPod.of(cell[0]).answer(scene.muster(words.toArray(String[]::new))));
        }
        return answers;
    }
}
