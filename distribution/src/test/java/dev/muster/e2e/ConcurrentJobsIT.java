package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many jobs run at the same time on one machine: no two jobs may use the same port. */
@ExtendWith(Scenes.class)
class ConcurrentJobsIT {

    private static final int MOST = 20;

    /** Every build runs a quarter of the jobs. */
    private static final int JOBS = Math.min(MOST, Repetitions.orElse(MOST / 4));

    /**
     * Takes its port on every address, as a framework does. It notes the port, and keeps it until the test ends the jobs: a second
     * job with the same port fails. Arguments: directory of the notes, file to wait for, name, port.
     */
    private static final String TAKE = """
            import os, socket, sys, time
            notes, go, name, port = sys.argv[1:5]
            listener = socket.create_server(("", int(port)))
            with open(os.path.join(notes, name + ".part"), "w") as file:
                file.write(port)
            os.rename(os.path.join(notes, name + ".part"), os.path.join(notes, name))
            while not os.path.exists(go):
                time.sleep(0.1)
            """;

    /** A program that takes a port. Shell words give the port and the name of the process in its job. */
    private static String program(Scene scene, String name, String port) {
        Components.require("python3");
        Scene.write(scene.beside("take.py"), TAKE);
        assertThat(scene.beside("ports").toFile().mkdir()).isTrue();
        return scene.script(
                "take", "exec python3 $scene/take.py $scene/ports $scene/go \"$job-" + name + "\" \"" + port + "\"");
    }

    /** Starts all jobs at the same time. The variable {@code job} has the number of the job. */
    private static List<Launched> start(int jobs, IntFunction<Invocation> invocation) {
        List<Launched> launched = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            launched.add(invocation.apply(job).set("job", "job-" + job).start());
        }
        return launched;
    }

    /** Waits until all jobs have all their ports, and lets them end. */
    private static void finish(Scene scene, List<Launched> jobs, int ports) {
        Await.until(Await.LONG, () -> ports + " ports are taken, there are " + taken(scene), () -> {
            for (Launched job : jobs) {
                assertThat(job.isRunning() ? "" : job.await().toString())
                        .as("a job that ended before it might")
                        .isEmpty();
            }
            return taken(scene).size() == ports;
        });
        Scene.write(scene.beside("go"), "");
        for (Launched job : jobs) {
            job.await().endedWith(0);
        }
        assertThat(taken(scene).stream().map(name -> Scene.read(scene.beside("ports/" + name))))
                .as("ports of all jobs")
                .doesNotHaveDuplicates()
                .allSatisfy(port -> assertThat(Integer.parseInt(port)).isBetween(5000, 10_000));
    }

    private static List<String> taken(Scene scene) {
        // Jobs rename files at the same time, so only the names are safe to read.
        String[] names = Objects.requireNonNull(scene.beside("ports").toFile().list());
        return Stream.of(names).filter(name -> !name.endsWith(".part")).toList();
    }

    @Tag("repeated")
    @Test
    void manyPyTorchJobsStartTogether(Scene scene) {
        String program = program(scene, "$RANK", "$MASTER_PORT");
        List<Launched> jobs = start(
                JOBS,
                job -> scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                        .with(
                                "--job-id",
                                scene.jobId() + "-" + job,
                                "-o",
                                "processes=per-card",
                                "--cards",
                                "1",
                                "--",
                                program));
        finish(scene, jobs, JOBS);
    }

    @Test
    void simulationsAndJobsOfBothEnginesRunTogether(Scene scene) {
        String program = program(
                scene,
                "${RANK-$2-$4}",
                "${MASTER_PORT-$(hosts=$([ \"$2\" = ps ] && echo \"$6\" || echo \"$8\");"
                        + " host=$(echo $hosts | cut -d, -f$(($4 + 1))); echo ${host##*:})}");
        List<Launched> jobs = start(4, job -> switch (job) {
            case 0, 1 ->
                scene.muster(
                                "simulate",
                                "--engine",
                                "tensorflow-ps",
                                "--nodes",
                                "2",
                                "--job-id",
                                scene.jobId() + "-" + job)
                        .with("--", program);
            case 2 ->
                scene.muster(
                                "simulate",
                                "--engine",
                                "pytorch-gpu",
                                "--nodes",
                                "1",
                                "--job-id",
                                scene.jobId() + "-" + job)
                        .with("--processes", "per-card", "--", program);
            default ->
                scene.muster("--engine", "tensorflow-ps", "--platform", "none", "--job-id", scene.jobId() + "-" + job)
                        .with("--", program);
        });
        finish(scene, jobs, 4 + 4 + 1 + 2);
    }
}
