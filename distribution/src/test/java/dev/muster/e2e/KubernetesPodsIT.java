package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of Kubeflow and of Kubernetes itself, with the recorded environments of their pods. */
@ExtendWith(Scenes.class)
class KubernetesPodsIT {

    private static Invocation plan(Scene scene, String engine, String... options) {
        return scene.muster("plan", "--format", "json", "--engine", engine)
                .with(options)
                .with("--", "/bin/true");
    }

    private static Result answer(Scene scene, String pod, String engine) {
        return RecordedPod.of(pod).answer(plan(scene, engine));
    }

    /** Returns {@code PLATFORM JOB INDEX/COUNT: PROCESSES, RANK of WORLDSIZE at MASTER_ADDR:MASTER_PORT} of the first process. */
    private static String summary(Result result) {
        JsonNode node = Json.parse(result.endedWith(0).output()).get("nodes").get(0);
        JsonNode processes = node.get("processes");
        JsonNode set = processes.get(0).get("environment").get("set");
        return node.get("platform").get("name").asText() + " "
                + node.get("job").get("id").asText() + " " + node.get("index").asText() + "/"
                + node.get("count").asText() + ": " + processes.size() + ", "
                + set.path("RANK").asText() + " of "
                + set.path("WORLD_SIZE").asText() + " at "
                + set.path("MASTER_ADDR").asText() + ":"
                + set.path("MASTER_PORT").asText();
    }

    @ParameterizedTest
    @CsvSource({
        "pytorchjob-worker-1, 'pytorchjob pt 2/3: 1, 2 of 3 at pt-master-0:23456'",
        "pytorchjob-nproc-worker-0, 'pytorchjob pt-four 1/2: 4, 4 of 8 at pt-four-master-0:23456'",
        "pytorchjob-volcano-worker-0, 'pytorchjob pt-volcano 1/2: 1, 1 of 2 at pt-volcano-master-0:23456'",
        "pytorchjob-workers-worker-1, 'pytorchjob pt-workers 1/2: 1, 1 of 2 at pt-workers-worker-0:23456'",
        "trainer-node-1, 'trainer llm 1/2: 1, 1 of 2 at llm-node-0-0.llm:29500'"
    })
    void ranksOfPyTorchAreToldWhatTheirPodWasTold(String pod, String summary, Scene scene) {
        assertThat(summary(answer(scene, pod, "pytorch-gpu"))).isEqualTo(summary);
    }

    @Test
    void aJaxJobsHostsAreThoseOfPyTorch(Scene scene) {
        Result result = answer(scene, "jaxjob-worker-1", "pytorch-gpu").endedWith(0);
        assertThat(result.output()).contains("\"MASTER_ADDR\": \"jax-worker-0\"", "\"WORLD_SIZE\": \"2\"");
    }

    /** {@link PlatformMatrixIT} has more refusals, for every engine. */
    @ParameterizedTest
    @CsvSource({
        "jobset-1, pytorch-gpu, --nodes N",
        "mpijob-worker-0, mpi, this is a worker of an MPIJob",
        "pytorchjob-elastic-worker-1, mpi, --engine pytorch-gpu"
    })
    void whatCannotBeFollowedIsRefusedWithTheLineToWrite(String pod, String engine, String words, Scene scene) {
        answer(scene, pod, engine).endedWith(78).says(words);
    }

    @Test
    void theUserMayCountThePodsOfAnIndexedJob(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        Invocation plan =
                plan(scene, "pytorch-gpu", "--nodes", "3", "-o", "processes=per-card", "--master-addr", "idx-0.idx");
        // A launcher of its own must find the name of its host.
        Result result = RecordedPod.of("indexed-job-1").around(plan).run();
        assertThat(summary(result)).startsWith("indexed-job idx 1/3: 1, 1 of 3 at idx-0.idx:");
    }

    /** Makes hosts with the names of a job's pods, and starts a launcher on each in the environment of its pod. */
    private static List<OnHost> start(Scene scene, String[] pods, Invocation[] launchers) {
        TestHosts hosts = TestHosts.in(scene, pods.length);
        for (int index = 0; index < pods.length; index++) {
            String name = RecordedPod.of(pods[index]).hostName();
            String address = hosts.get(index).address();
            hosts.all().forEach(host -> host.learns(name, address));
            hosts.get(index).shell("hostname " + name);
        }
        List<OnHost> started = new ArrayList<>();
        for (int index = pods.length - 1; index >= 0; index--) {
            Invocation launcher =
                    launchers[index].set(RecordedPod.of(pods[index]).environment());
            started.add(0, new OnHost(hosts.get(index).here(launcher, "/tmp").start()));
        }
        return started;
    }

    private static Invocation[] launchers(Scene scene, int count) {
        Invocation[] launchers = new Invocation[count];
        for (int index = 0; index < count; index++) {
            launchers[index] =
                    scene.apart(scene.muster("--engine", "pytorch-gpu", "--")).with(Training.torch());
        }
        return launchers;
    }

    private static void assertTrained(List<OnHost> launchers, int ranks) {
        StringBuilder output = new StringBuilder();
        for (OnHost launcher : launchers) {
            output.append(launcher.await(Training.LONG).endedWith(0).output());
        }
        assertThat(output.toString())
                .containsOnlyOnce("final loss")
                .contains("final loss 0.010101, same weights on " + ranks + " ranks");
    }

    @Test
    void threePodsOfAPyTorchJobTrainAsOne(Scene scene) {
        Components.requireTorch();
        String[] pods = {"pytorchjob-master-0", "pytorchjob-worker-0", "pytorchjob-worker-1"};
        assertTrained(start(scene, pods, launchers(scene, 3)), 3);
    }

    @Test
    void onePodThatFailsEndsAll(Scene scene) {
        String[] pods = {"pytorchjob-master-0", "pytorchjob-worker-0", "pytorchjob-worker-1"};
        Invocation[] launchers = new Invocation[pods.length];
        for (int index = 0; index < pods.length; index++) {
            launchers[index] = scene.muster("--engine", "pytorch-gpu", "--link", "required", "--")
                    .with("sh", "-c", "[ $RANK = 1 ] && exit 3; exec sleep 600");
        }
        for (OnHost launcher : start(scene, pods, launchers)) {
            launcher.await().endedWith(3).says("rank 1 ");
        }
    }

    /** Only in the torture: a test above has their plan, and the elastic job below has no master either. */
    @Tag("torture")
    @Test
    void workersWithoutAMasterTrainAsOne(Scene scene) {
        Components.requireTorch();
        String[] pods = {"pytorchjob-workers-worker-0", "pytorchjob-workers-worker-1"};
        assertTrained(start(scene, pods, launchers(scene, 2)), 2);
    }

    /** With equal minimum and maximum numbers of nodes torchrun starts when all are there, and not 30 s later. */
    @Test
    void anElasticJobIsTorchruns(Scene scene) {
        Components.requireTorch();
        String[] pods = {"pytorchjob-elastic-worker-0", "pytorchjob-elastic-worker-1"};
        Invocation[] launchers = launchers(scene, 2);
        for (int index = 0; index < 2; index++) {
            launchers[index].behind("env", "PET_NNODES=2:2");
        }
        List<OnHost> started = start(scene, pods, launchers);
        started.get(0).awaitMessage("an elastic job: torchrun finds out how many nodes there are (2:2)");
        assertTrained(started, 4);
    }
}
