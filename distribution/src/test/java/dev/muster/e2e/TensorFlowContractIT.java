package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static dev.muster.e2e.RefusalsIT.checkAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments and environment of the processes of a TensorFlow job, and refusals. */
@ExtendWith(Scenes.class)
class TensorFlowContractIT {

    private static final String[] OWN = {"--data", "a b", "", "ü*$HOME'\""};

    private static final String[] COMMAND =
            Stream.concat(Stream.of("/bin/echo"), Stream.of(OWN)).toArray(String[]::new);

    private static Invocation job(Scene scene, String... options) {
        return scene.muster("--engine", "tensorflow-ps", "--platform", "none", "--job-id", scene.jobId())
                .with(options);
    }

    /** A node of a ModelArts job of two nodes. Each process listens on a port of its own. */
    private static Invocation modelArts(Scene scene, String role, int index, String... options) {
        return scene.muster("--engine", "tensorflow-ps")
                .with(options)
                .set(ModelArtsNode.of(scene, role + "-" + index).environment())
                .set(Map.of("MA_TASK_NAME", role, "MA_NUM_HOSTS", "2", "VC_TASK_INDEX", Integer.toString(index)));
    }

    /** The arguments and environment of a process. The other process of the node ends later: the end of a worker stops the ps. */
    private static Probe.Seen seen(Scene scene, Invocation job, String role) {
        Probe probe = Probe.in(scene);
        start(scene, job, role, probe).await().endedWith(0);
        return probe.rank(wanted(role));
    }

    /** The same for one of several launchers. The others never come. */
    private static Probe.Seen seenOfSeveral(Scene scene, Invocation job, String role) {
        Probe probe = Probe.in(scene);
        Launched launcher = start(scene, job, role, probe);
        scene.awaitFiles("notes/" + wanted(role));
        launcher.signal("TERM").await();
        return probe.rank(wanted(role));
    }

    private static int wanted(String role) {
        return role.equals("ps") ? 0 : 1;
    }

    private static Launched start(Scene scene, Invocation job, String role, Probe probe) {
        int wanted = wanted(role);
        String program = scene.script(
                "program",
                "case $TF_CONFIG in *'\"type\": \"ps\"'*) me=0 ;; *) me=1 ;; esac",
                "[ $me = " + wanted + " ] || until [ -d $scene/notes/" + wanted + " ]; do sleep 0.02; done",
                "me=$me exec " + probe.program() + " \"$@\"");
        return job.with("--", program).with(OWN).start();
    }

    private static JsonNode config(Probe.Seen seen) {
        return Json.parse(seen.environment().getOrDefault("TF_CONFIG", "null"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ps", "worker"})
    void bothProcessesOfASingleNodeGetTheSameListsOfFreePorts(String role, Scene scene) {
        Probe.Seen seen = seen(scene, job(scene), role);
        List<String> arguments = seen.arguments();
        assertThat(arguments).startsWith(OWN).hasSize(OWN.length + 8);
        assertThat(String.join(" ", arguments.subList(OWN.length, arguments.size())))
                .matches("--job_name " + role + " --task_index 0 --ps_hosts 127\\.0\\.0\\.1:[0-9]{4,5}"
                        + " --worker_hosts 127\\.0\\.0\\.1:[0-9]{4,5}");
        JsonNode config = config(seen);
        assertThat(config.at("/task/type").asText()).isEqualTo(role);
        assertThat(config.at("/cluster/ps/0").asText()).isEqualTo(arguments.get(OWN.length + 5));
        assertThat(config.at("/cluster/worker/0").asText()).isEqualTo(arguments.get(OWN.length + 7));
    }

    @ParameterizedTest
    @CsvSource({"ps, 0", "ps, 1"})
    void aContainerOfARoleGetsThePlatformsLists(String role, int index, Scene scene) {
        int[] ports = Listener.free(4);
        Invocation job = modelArts(scene, role, index)
                .set("TF_PS_HOSTS", "[h0:" + ports[0] + ", h1:" + ports[1] + "]")
                .set("TF_WORKER_HOSTS", "h0:" + ports[2] + " ,h1:" + ports[3]);
        assertThat(seenOfSeveral(scene, job, role).arguments())
                .startsWith(OWN)
                .endsWith(
                        "--job_name",
                        role,
                        "--task_index",
                        Integer.toString(index),
                        "--ps_hosts",
                        "h0:" + ports[0] + ",h1:" + ports[1],
                        "--worker_hosts",
                        "h0:" + ports[2] + ",h1:" + ports[3]);
    }

    @ParameterizedTest
    @CsvSource({"chief, 0, chief, 0", "chief, 1, worker, 0", "workers, 0, worker, 0", "workers, 1, worker, 1"})
    void theKindOfScriptDecidesWhoTheWorkersAre(String kind, int index, String type, int task, Scene scene) {
        int[] ports = Listener.free(4);
        Result plan = scene.muster("plan", "--format", "json", "--engine", "tensorflow-ps", "--platform", "none")
                .with("--job-id", scene.jobId(), "--nodes", "2", "--node-index", Integer.toString(index))
                .with("--tf-config", kind, "-o", "ps-hosts=127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1])
                .with("-o", "worker-hosts=127.0.0.1:" + ports[2] + ",127.0.0.1:" + ports[3])
                .with("--")
                .with(COMMAND)
                .answer()
                .endedWith(0);
        JsonNode worker = worker(Json.parse(plan.output()));
        JsonNode config = Json.parse(worker.at("/environment/set/TF_CONFIG").asText());
        assertThat(config.at("/task/type").asText()).isEqualTo(type);
        assertThat(config.at("/task/index").asInt()).isEqualTo(task);
        assertThat(config.at("/cluster").has("ps")).isEqualTo(kind.equals("chief"));
        assertThat(config.at("/cluster/worker").size()).isEqualTo(kind.equals("chief") ? 1 : 2);
        // A script that reads TF_CONFIG need not know the arguments with role and index.
        assertThat(worker.get("command")).extracting(JsonNode::asText).containsExactly(COMMAND);
    }

    /** The only process in a node's plan that is no ps. */
    private static JsonNode worker(JsonNode plan) {
        List<JsonNode> workers = new ArrayList<>();
        for (JsonNode process : plan.at("/nodes/0/processes")) {
            if (!process.get("id").asText().startsWith("ps-")) {
                workers.add(process);
            }
        }
        assertThat(workers).as(plan.toString()).hasSize(1);
        return workers.get(0);
    }

    @Test
    void aSingleNodeOfThePlatformGetsNothing(Scene scene) {
        Probe.Seen seen = seen(
                scene, modelArts(scene, "worker", 0).set("MA_NUM_HOSTS", "1").set("TF_CONFIG", "{}"), "worker");
        assertThat(seen.arguments()).containsExactly(OWN);
        assertThat(seen.environment()).doesNotContainKey("TF_CONFIG");
    }

    @Test
    void aPortThatIsTakenIsRefusedWithItsOwner(Scene scene) {
        try (Listener listener = Listener.on(scene)) {
            Invocation job = job(scene)
                    .with("-o", "ps-hosts=127.0.0.1:" + Listener.free(1)[0])
                    .with("-o", "worker-hosts=127.0.0.1:" + listener.port())
                    .with("--", PROBE);
            String port = "port " + listener.port();
            checkAnswer(scene, job, 69, List.of(port, "worker-0", "pid " + listener.pid(), "python3", "ps-hosts"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--job_name", "--task_index=0", "--ps_hosts", "--worker_hosts=a:1"})
    void anArgumentThatWouldBeThereTwiceIsRefused(String argument, Scene scene) {
        checkAnswer(scene, job(scene, "--", PROBE, argument), 64, List.of(argument, "-o tf-config=ps-env"));
    }

    @Test
    void whatCannotWorkIsRefusedWithTheReason(Scene scene) {
        checkAnswer(
                scene,
                job(scene, "--tf-config", "chief", "--", PROBE),
                64,
                List.of("chief", "There must be at least one worker"));
        checkAnswer(scene, modelArts(scene, "ps", 0).with("--", PROBE), 78, List.of("worker", "TF_WORKER_HOSTS"));
        checkAnswer(
                scene,
                modelArts(scene, "worker", 0, "-o", "shape=role")
                        .with("--", PROBE)
                        .set("VC_WORKER_HOSTS", "a,b"),
                78,
                List.of("no ps", "TF_PS_HOSTS"));
        checkAnswer(
                scene,
                modelArts(scene, "worker", 0)
                        .with("--", PROBE)
                        .set(Map.of("TF_PS_HOSTS", "[a:1, b:x]", "TF_WORKER_HOSTS", "a:2,b:2")),
                78,
                List.of("TF_PS_HOSTS", "b:x", "host:port"));
        checkAnswer(
                scene,
                job(scene, "--nodes", "2", "--node-index", "0", "--", PROBE),
                78,
                List.of("--hosts", "ps-hosts"));
    }
}
