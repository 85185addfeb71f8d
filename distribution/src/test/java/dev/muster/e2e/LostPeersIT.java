package dev.muster.e2e;

import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What launchers of a TensorFlow job tell each other. The test starts them one by one, as a platform does, so only the link stops the
 * rest of a job.
 */
@ResourceLock("LostPeersIT") // Its jobs have the same id, and their launchers connect on this machine.
@Order(1)
@ExtendWith(Scenes.class)
class LostPeersIT {

    /** A container of one role of a ModelArts job with two ps and two workers. All containers get the same lists of ports. */
    private static Invocation container(Scene scene, int[] ports, String role, int index, String... options) {
        return scene.muster("--engine", "tensorflow-ps", "--lost-after", "5s", "--grace", "3s")
                .with(options)
                .with("--")
                .with(PsAndWorkers.in(scene).command())
                .set(ModelArtsNode.of(scene, role + "-" + index).environment())
                .set(Map.of("MA_TASK_NAME", role, "MA_NUM_HOSTS", "2", "VC_TASK_INDEX", Integer.toString(index)))
                .set("TF_PS_HOSTS", "[127.0.0.1:" + ports[0] + ", 127.0.0.1:" + ports[1] + "]")
                .set("TF_WORKER_HOSTS", "127.0.0.1:" + ports[2] + ",127.0.0.1:" + ports[3]);
    }

    @Test
    void aLauncherThatNeverComesIsNamed(Scene scene) {
        int[] ports = Listener.free(4);
        PsAndWorkers members = PsAndWorkers.in(scene);
        Launched ps = container(scene, ports, "ps", 0).start();
        members.await("ps-0");
        // Worker 0 leads, and only its --input-timeout is short: it ends the job, and names the node that it waits for.
        Launched worker0 =
                container(scene, ports, "worker", 0, "--input-timeout", "3s").start();
        worker0.await().endedWith(75).says("worker-1 (127.0.0.1)");
        ps.await().endedWith(75);
        scene.assertNothingIsLeft();
    }

    @Test
    void listsThatDifferAreFoundBeforeTheyHurt(Scene scene) {
        int[] ports = Listener.free(5);
        PsAndWorkers members = PsAndWorkers.in(scene);
        Launched worker = container(scene, ports, "worker", 0).start();
        members.await("worker-0");
        int[] others = {ports[0], ports[4], ports[2], ports[3]};
        Launched ps = container(scene, others, "ps", 1).start();
        String[] words = {"addresses of ps", "127.0.0.1:" + ports[1], "127.0.0.1:" + ports[4]};
        worker.await().endedWith(78).says(words);
        ps.await().endedWith(78).says(words);
    }

    @Test
    void aWorkersFailureStopsThePsOfItsNodeAtOnce(Scene scene) {
        int[] ports = Listener.free(4);
        PsAndWorkers members = PsAndWorkers.in(scene);
        Launched node = scene.muster("--engine", "tensorflow-ps", "--platform", "none", "--job-id", scene.jobId())
                .with("--nodes", "2", "--node-index", "1")
                .with("-o", "ps-hosts=127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1])
                .with("-o", "worker-hosts=127.0.0.1:" + ports[2] + ",127.0.0.1:" + ports[3])
                .with("--")
                .with(members.command())
                .start();
        members.await("ps-1", "worker-1").end("worker-1", 7);
        node.await().endedWith(7).says("worker-1", "exit code 7");
        scene.assertNothingIsLeft();
    }
}
