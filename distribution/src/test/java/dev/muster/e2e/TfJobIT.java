package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static dev.muster.e2e.RefusalsIT.checkAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose replicas follow the TF_CONFIG of their platform. The same command line starts each replica. */
@ResourceLock("TfJobIT") // The jobs have the same id and run on one machine.
@Order(1)
@ExtendWith(Scenes.class)
class TfJobIT {

    private static final String[] FOUR = {"chief-0", "evaluator-0", "ps-0", "worker-0"};

    private static Map<String, Launched> start(TfJob job, PsAndWorkers members) {
        Map<String, Launched> launched = new TreeMap<>();
        for (String name : job.names()) {
            launched.put(name, job.replica(name, members.command()).start());
        }
        members.await(job.names().toArray(String[]::new));
        return launched;
    }

    private static Launched replica(Map<String, Launched> launched, String name) {
        return Objects.requireNonNull(launched.get(name), name);
    }

    private static void assertEnd(Map<String, Launched> launched, int exitCode, String... names) {
        for (String name : names) {
            replica(launched, name).await().endedWith(exitCode);
        }
    }

    private static boolean endsEarly(PsAndWorkers members, String... names) {
        return Await.holdsWithin(
                Duration.ofSeconds(2), () -> List.of(names).stream().anyMatch(name -> !members.isRunning(name)));
    }

    // --- who ends when

    @Test
    void allServeUntilTheChiefHasEnded(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Map<String, Launched> launched = start(TfJob.of(scene, FOUR), members);
        members.end("chief-0", 0);
        for (String name : FOUR) {
            Result result = replica(launched, name).await().endedWith(0);
            assertThat(result.messages()).contains("exit 0", "the chief (chief-0) has ended");
            assertThat(Scene.read(scene.logs().resolve("tf-" + name + ".txt"))).isEqualTo(name + " is up\n");
            assertThat(Json.parse(Scene.read(scene.logs().resolve("tf-" + name + "-result.json")))
                            .path("name")
                            .asText())
                    .isEqualTo(name);
        }
        scene.assertNothingIsLeft();
    }

    @Test
    void anEvaluatorMayEndBeforeTheOthers(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Map<String, Launched> launched = start(TfJob.of(scene, FOUR), members);
        members.end("evaluator-0", 0);
        replica(launched, "evaluator-0").await().endedWith(0).says("evaluator-0 ended by itself");
        assertThat(endsEarly(members, "chief-0", "ps-0", "worker-0")).isFalse();
        members.end("chief-0", 0);
        assertEnd(launched, 0, "chief-0", "ps-0", "worker-0");
    }

    @Test
    void theFailureOfOneWorkerIsThatOfAll(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Map<String, Launched> launched = start(TfJob.of(scene, "worker-0", "worker-1"), members);
        members.end("worker-0", 0).end("worker-1", 7);
        for (String name : List.of("worker-0", "worker-1")) {
            replica(launched, name).await().endedWith(7).says("worker-1", "exit code 7");
        }
    }

    /** Here an evaluator fails. Another test has a worker, {@link PsAndWorkersIT} a ps. */
    @Test
    void whoeverFailsGivesAllContainersItsCode(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Map<String, Launched> launched = start(TfJob.of(scene, FOUR), members);
        members.end("evaluator-0", 9);
        for (String name : FOUR) {
            replica(launched, name).await().endedWith(9).says("evaluator-0", "exit code 9");
        }
        scene.assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"ps-0, TERM, 143, SIGTERM", "chief-0, KILL, 75, gone"})
    void aLauncherThatIsGoneEndsAllContainers(String victim, String signal, int exitCode, String how, Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Map<String, Launched> launched = startOneByOne(TfJob.of(scene, FOUR), members);
        Objects.requireNonNull(launched.remove(victim)).signal(signal).await();
        launched.values().forEach(replica -> replica.await().endedWith(exitCode).says(victim + " (", how));
        scene.assertNothingIsLeft();
    }

    /** Starts the replicas one by one. The leader's message that all nodes are here then comes last. */
    private static Map<String, Launched> startOneByOne(TfJob job, PsAndWorkers members) {
        Map<String, Launched> launched = new TreeMap<>();
        for (String name : FOUR) {
            if (name.equals("worker-0")) {
                replica(launched, "chief-0").awaitMessage("3 of 4 nodes are here; worker-0 (127.0.0.1) is not");
            }
            launched.put(name, job.replica(name, members.command()).start());
        }
        replica(launched, "chief-0").awaitMessage("4 of 4 nodes are here");
        members.await(FOUR);
        return launched;
    }

    @Test
    void whereWorkersComeAndGoThePlatformStopsThePs(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        TfJob job = TfJob.of(scene, "ps-0", "worker-0", "worker-1");
        Launched ps = job.dynamicReplica("ps-0", members.command()).start();
        Launched worker = job.dynamicReplica("worker-1", members.command()).start();
        members.await("ps-0", "worker-1");
        members.end("worker-1", 0);
        worker.await().endedWith(0);
        assertThat(endsEarly(members, "ps-0")).isFalse();
        ps.signal("TERM").await().endedWith(143).says("serves until the platform stops it");
        scene.assertNothingIsLeft();
    }

    // --- what a process gets

    @Test
    void theVariableAndTheCommandStayAsTheyCame(Scene scene) {
        String config =
                " {\"task\" : {\"index\":0,  \"type\":\"worker\"},\t\"x\":\"\u00fc \\u00fc $(id) '\", \"cluster\":"
                        + " {\"worker\": [\"127.0.0.1:" + Listener.free(1)[0] + "\"]}, \"environment\": \"cloud\"}";
        String program = scene.script(
                "show", "printf %s \"$TF_CONFIG\" >$scene/config", "printf '%s|' \"$@\" >$scene/arguments");
        scene.muster("--engine", "tensorflow-ps", "--", program, "a b", "")
                .set("TF_CONFIG", config)
                .run()
                .endedWith(0);
        assertThat(Scene.read(scene.beside("config"))).isEqualTo(config);
        assertThat(Scene.read(scene.beside("arguments"))).isEqualTo("a b||");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"cluster\"",
                "[]",
                "{\"cluster\":{\"worker\":[\"a:1\",\"b:1\"]},\"task\":{\"type\":\"worker\",\"index\":2}}",
                "{\"cluster\":{\"worker\":[\"a:1\",\"a:1\"]},\"task\":{\"type\":\"worker\",\"index\":0}}",
                "{\"cluster\":{\"worker\":[\"a:1\",\"b:99999\"]},\"task\":{\"type\":\"worker\",\"index\":0}}",
                "{\"cluster\":{\"worker\":[\"$(touch pwned):1\"]},\"task\":{\"type\":\"worker\",\"index\":0}}",
                "{\"cluster\":{\"wor\\nker\":[\"a:1\"]},\"task\":{\"type\":\"\\u001b[31m\",\"index\":0}}"
            })
    void aWrongVariableIsRefused(String config, Scene scene) {
        Invocation launcher = scene.muster("--engine", "tensorflow-ps", "--", PROBE)
                .set("KUBERNETES_SERVICE_HOST", "10.96.0.1")
                .set("TF_CONFIG", config);
        checkAnswer(scene, launcher, 78, List.of("TF_CONFIG"));
    }

    // --- real TensorFlow

    /** {@link TensorFlowIT} trains with the variable of the launcher. */
    @Tag("torture")
    @Test
    void aChiefTrainsWithPsWorkerAndEvaluator(Scene scene) {
        TfJob job = TfJob.of(scene, FOUR);
        Map<String, Launched> launched = new TreeMap<>();
        job.names()
                .forEach(name -> launched.put(
                        name,
                        scene.apart(job.replica(name, Training.strategy("ps"))).start()));
        Result chief = replica(launched, "chief-0").await(Training.LONG).endedWith(0);
        assertThat(chief.output()).contains("chief: ok: loss ");
        assertEnd(launched, 0, "evaluator-0", "ps-0", "worker-0");
        assertThat(Scene.read(scene.logs().resolve("tf-evaluator-0.txt"))).contains("evaluator: waiting");
        scene.assertNothingIsLeft();
    }

    /** The TF_CONFIG of the platform stays unchanged. */
    @Tag("torture")
    @Test
    void mirroredWorkersTrain(Scene scene) {
        TfJob job = TfJob.of(scene, "worker-0", "worker-1");
        Launched first = scene.apart(job.replica("worker-0", Training.strategy("mirrored")))
                .start();
        Launched second = scene.apart(job.replica("worker-1", Training.strategy("mirrored")))
                .start();
        assertThat(first.await(Training.LONG).endedWith(0).output()).contains("worker 0: ok: loss ");
        assertThat(second.await(Training.LONG).endedWith(0).output()).contains("worker 1: ok: loss ");
    }
}
