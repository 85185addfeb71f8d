package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Any engine on any platform: the cells of the table in {@code docs/platforms/README.md}, by environments of real jobs. What
 * stands behind the engine is what has to be added to the line; a cell ends in a plan of the whole job, or in a refusal.
 */
@ExtendWith(Scenes.class)
class PlatformMatrixIT {

    private static final String TABLE = "TABLE";
    private static final String SHARED = "SHARED";

    @ParameterizedTest(name = "{0}: {1} {2}")
    @CsvSource({
        "pytorchjob-worker-1, ascend, --rank-table TABLE --node-address 192.168.0.26, pytorchjob, 2 of 3",
        "pytorchjob-worker-1, pytorch-gpu, '', pytorchjob, 2 of 3",
        "pytorchjob-worker-1, tensorflow-ps, '', pytorchjob, 2 of 3",
        "pytorchjob-worker-1, mpi, -o shared-directory=SHARED, pytorchjob, 2 of 3",
        "tfjob-workers-worker-1, pytorch-gpu, '', tfjob, 1 of 2",
        "tfjob-workers-worker-1, tensorflow-ps, '', tfjob, 1 of 2",
        "tfjob-workers-worker-1, mpi, -o shared-directory=SHARED, tfjob, 1 of 2",
        "tfjob-ps-0, tensorflow-ps, '', tfjob, ps-0",
        "trainer-node-1, ascend, --rank-table TABLE --node-address 192.168.0.26, trainer, 1 of 2",
        "trainer-node-1, pytorch-gpu, '', trainer, 1 of 2",
        "trainer-node-1, tensorflow-ps, '', trainer, 1 of 2",
        "trainer-node-1, mpi, -o shared-directory=SHARED, trainer, 1 of 2",
        "jaxjob-worker-1, ascend, --rank-table TABLE --node-address 192.168.0.26, jaxjob, 1 of 2",
        "jaxjob-worker-1, pytorch-gpu, '', jaxjob, 1 of 2",
        "jaxjob-worker-1, tensorflow-ps, '', jaxjob, 1 of 2",
        "jaxjob-worker-1, mpi, -o shared-directory=SHARED, jaxjob, 1 of 2",
        "volcano-worker-2, ascend, --rank-table TABLE --node-address 192.168.0.26, volcano, 2 of 3",
        "volcano-worker-2, pytorch-gpu, '', volcano, 2 of 3",
        "volcano-worker-2, tensorflow-ps, '', volcano, 2 of 3",
        "volcano-worker-2, mpi, -o shared-directory=SHARED, volcano, 2 of 3",
        "volcano-master-worker-worker-1, pytorch-gpu, '', volcano, 2 of 3",
        "volcano-master-worker-worker-1, mpi, -o shared-directory=SHARED, volcano, 2 of 3",
        "volcano-pytorch-worker-1, pytorch-gpu, '', volcano, 2 of 3",
        "indexed-job-1, ascend, --nodes 3 --rank-table TABLE --node-address 192.168.0.26, indexed-job, 1 of 3",
        "indexed-job-1, pytorch-gpu, --nodes 3 --master-addr idx-0.idx, indexed-job, 1 of 3",
        "indexed-job-1, tensorflow-ps, '--hosts idx-0.idx,idx-1.idx,idx-2.idx', indexed-job, 1 of 3",
        "indexed-job-1, mpi, '--hosts idx-0.idx,idx-1.idx,idx-2.idx -o shared-directory=SHARED', indexed-job, 1 of 3",
        "acjob-pytorch-1, pytorch-gpu, '', acjob, 1 of 2",
        "mindx-dl-1, pytorch-gpu, '', mindx-dl, 1 of 2",
        "mindx-dl-1, tensorflow-ps, '', mindx-dl, 1 of 2",
        "mindx-dl-1, mpi, -o shared-directory=SHARED, mindx-dl, 1 of 2",
        "apulis-gpu-worker-1, pytorch-gpu, '', apulis, 1 of 2",
        "apulis-gpu-worker-1, tensorflow-ps, '', apulis, worker-1",
    })
    void aNodeIsPlannedAsThatOfTheWholeJob(
            String pod, String engine, String options, String platform, String position, Scene scene) {
        Result result = plan(scene, pod, engine, options).run().endedWith(0);
        JsonNode node = Json.parse(result.output()).path("nodes").path(0);
        String where = node.path("index").asText() + " of " + node.path("count").asText();
        assertThat(node.path("platform").path("name").asText()).isEqualTo(platform);
        assertThat(List.of(where, node.path("planName").asText())).contains(position);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "pytorchjob-worker-1, ascend, 78, there is no rank table",
        "tfjob-workers-worker-1, ascend, 78, there is no rank table",
        "tfjob-ps-worker-1, pytorch-gpu, 78, tensorflow-ps",
        "tfjob-ps-worker-1, mpi, 78, tensorflow-ps",
        "mpijob-launcher-0, pytorch-gpu, 78, --engine mpi",
        "mpijob-launcher-0, tensorflow-ps, 78, --engine mpi",
        "mpijob-launcher-0, ascend, 78, --engine mpi",
        "mpijob-worker-1, mpi, 78, this is a worker of an MPIJob",
        "volcano-worker-2, ascend, 78, there is no rank table",
        "volcano-ps-worker-worker-1, pytorch-gpu, 78, tensorflow-ps",
        "volcano-ps-worker-worker-1, mpi, 78, tensorflow-ps",
        "indexed-job-1, pytorch-gpu, 78, --nodes N",
        "indexed-job-1, tensorflow-ps, 78, --nodes N",
        "indexed-job-1, mpi, 78, --nodes N",
        "acjob-pytorch-1, ascend, 78, acjob",
        "acjob-pytorch-1, tensorflow-ps, 78, acjob",
        "acjob-pytorch-1, mpi, 78, acjob",
        "slurm-step-n2, ascend, 78, there is no rank table",
    })
    void whatMakesNoSenseIsRefusedWithASentence(String pod, String engine, int exitCode, String words, Scene scene) {
        plan(scene, pod, engine, "").run().endedWith(exitCode).says(words);
    }

    private static Invocation plan(Scene scene, String pod, String engine, String options) {
        Components.requireRoot();
        Components.require("mpirun");
        Scene.write(
                scene.beside(TABLE),
                RankTables.templateOne(
                        RankTables.server("192.168.0.25", "0 10.0.0.1"),
                        RankTables.server("192.168.0.26", "0 10.0.0.2"),
                        RankTables.server("192.168.0.27", "0 10.0.0.3")));
        String line = options.replace(TABLE, scene.beside(TABLE).toString())
                .replace(SHARED, scene.beside("").toString());
        Invocation launcher = scene.muster("plan", "--format", "json", "--engine", engine)
                .with(line.isEmpty() ? new String[0] : line.split(" ", -1))
                .with("--", "/bin/true");
        return RecordedPod.of(pod).around(launcher);
    }
}
