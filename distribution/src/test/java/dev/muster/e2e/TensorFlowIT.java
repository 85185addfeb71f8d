package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real TensorFlow jobs. */
@ExtendWith(Scenes.class)
class TensorFlowIT {

    private static final int TERM = 15;

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "tensorflow-ps", "--platform", "none", "--job-id", scene.jobId()))
                .with(options)
                .with("--");
    }

    /** TensorFlow's temporary files are in the scene's directory, since a killed process does not remove them. */
    private static Invocation simulate(Scene scene, String... options) {
        return scene.apart(scene.muster("simulate", "--engine", "tensorflow-ps", "--nodes", "2"))
                .with(options)
                .with("--");
    }

    private static Result train(Invocation job, String... command) {
        return job.with(command).start().await(Training.LONG).endedWith(0);
    }

    private static void assertTrained(Result result, String... names) {
        for (String name : names) {
            assertThat(result.outputLines()).as("ok of %s", name).anyMatch(line -> line.contains(name + ": ok: loss "));
        }
    }

    @Tag("torture")
    @Test
    void aPsAndAWorkerTrainOnOneNode(Scene scene) {
        Result result = train(job(scene), Training.psAndWorkers());
        assertTrained(result, "worker 0");
        result.says("worker-0 succeeded");
        assertThat(Scene.read(scene.logs().resolve(scene.jobId() + "-ps-0.txt")))
                .contains("ps 0: serving");
        assertThat(Scene.read(scene.logs().resolve(scene.jobId() + "-worker-0.txt")))
                .contains("worker 0: ok");
    }

    @Test
    void oneNodeOfModelArtsRunsTheScriptOnceAndAlone(Scene scene) {
        Invocation job = scene.apart(scene.muster("--engine", "tensorflow-ps", "--"))
                .set(ModelArtsNode.of(scene, "worker-0").environment())
                .set("TF_CONFIG", "{\"cluster\": {\"worker\": [\"192.0.2.1:1\"]}}");
        assertTrained(train(job, Training.strategy("mirrored")), "worker 0");
    }

    @Tag("torture")
    @Test
    void twoNodesTrainInRoles(Scene scene) {
        assertTrained(train(simulate(scene, "--shape", "role"), Training.psAndWorkers()), "worker 0", "worker 1");
        scene.assertNothingIsLeft();
    }

    @Test
    void aChiefTrainsWithWorkersAndPs(Scene scene) {
        Result result = train(simulate(scene, "--tf-config", "chief"), Training.strategy("ps"));
        assertTrained(result, "chief");
        assertThat(result.output()).contains("ps 0: serving", "ps 1: serving", "worker 0: serving");
        assertThat(result.output()).contains("the chief (worker-0) has ended");
    }

    @Test
    void mirroredWorkersTrainAndContainersOfPsStartNothing(Scene scene) {
        Result result =
                train(simulate(scene, "--shape", "role", "--tf-config", "workers"), Training.strategy("mirrored"));
        assertTrained(result, "worker 0", "worker 1");
        for (String ps : new String[] {"ps-0", "ps-1"}) {
            assertThat(result.output()).contains("[" + ps + "] muster: exit 0: " + ps + " has nothing to do");
        }
    }

    /** {@link RecoveryIT} kills a process. */
    @Test
    void aMirroredJobThatIgnoresTermIsGoneAfterTheGracePeriod(Scene scene) {
        Launched simulation = simulate(scene, "--tf-config", "workers", "--grace", "2s")
                .with(Training.strategy("mirrored", "--steps", "100000", "--step-delay", "0.05"))
                .start();
        Await.until(Training.LONG, () -> "both workers catch TERM", () -> workersThatCatchTerm(scene) == 2);
        simulation.signal("TERM").await().endedWith(143).says("SIGKILL");
        scene.assertNothingIsLeft();
    }

    private static long workersThatCatchTerm(Scene scene) {
        String python = "(" + Components.requireTensorFlow() + " ";
        return Processes.tagged(scene.tag()).stream()
                .filter(process -> process.contains(python))
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .filter(pid -> Processes.catches(TERM, pid))
                .count();
    }
}
