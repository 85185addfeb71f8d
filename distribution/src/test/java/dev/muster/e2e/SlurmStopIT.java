package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** How jobs on a real Slurm cluster end, and start again, when Slurm demands it. */
@ResourceLock(SlurmCluster.CONTROL_GROUPS)
@Order(1)
@ExtendWith(Scenes.class)
class SlurmStopIT {

    private static final Duration LONG = Duration.ofSeconds(90);

    /** Slurm's KillWait in seconds. On a busy machine a launcher may need some of them to end. */
    private static final int KILL_WAIT = 12;

    private static final Pattern SUBMITTED = Pattern.compile("Submitted batch job ([0-9]+)");
    private static final String MUSTER = Product.startScript(Product.home()).toString();

    /** A rank that needs half a second for its checkpoint. */
    private static final String SAVES =
            "trap 'sleep 0.5; echo saved > saved-$2; exit 0' TERM; echo up > up-$2;" + " while :; do sleep 0.1; done";

    /** A rank that ignores SIGTERM. */
    private static final String STUBBORN = "trap '' TERM; echo up > up-$2; while :; do sleep 0.1; done";

    @SuppressWarnings("NullAway.Init")
    private static SlurmCluster cluster;

    @BeforeAll
    static void start() {
        cluster = SlurmCluster.start(KILL_WAIT, 0, 0, 0);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Launched slurm(Scene scene, Path directory, String... words) {
        return cluster.here(scene.command(words), directory).start();
    }

    /** Submits a script of these lines. Returns the job's id. */
    private static String submit(Scene scene, Path directory, String options, String... lines) {
        Scene.write(directory.resolve("job.sh"), "#!/bin/bash\n" + options + "\n" + String.join("\n", lines) + "\n");
        Result submitted = slurm(scene, directory, "sbatch", "-o", "job.txt", "job.sh")
                .await()
                .endedWith(0);
        Matcher id = SUBMITTED.matcher(submitted.output());
        assertThat(id.find()).as(submitted.output()).isTrue();
        return id.group(1);
    }

    private static void awaitFile(Path file) {
        Await.until(
                LONG,
                () -> file + " is there; the controller says " + cluster.log(),
                () -> Files.exists(file) && !Scene.read(file).isEmpty());
    }

    private static JsonNode result(Path directory, String name) {
        Path file = directory.resolve("muster-logs").resolve(name);
        awaitFile(file);
        return Json.parse(Scene.read(file));
    }

    private static void awaitEnd(Scene scene, Path directory, String job) {
        Await.until(
                LONG,
                () -> "job " + job + " has ended; the controller says " + cluster.log(),
                () -> slurm(scene, directory, "squeue", "-h", "-j", job)
                        .await()
                        .output()
                        .isBlank());
    }

    @OnOneJdk
    void scancelGivesRanksTheirTimeAndMusterItsWord(Scene scene) {
        Path directory = cluster.directory();
        String ranks = "case $2 in tcp*) shift 2;; esac; if test $2 = 1; then " + STUBBORN + "; else " + SAVES + "; fi";
        Launched step = slurm(
                scene,
                directory,
                "srun",
                "-N2",
                "-J",
                "stops",
                MUSTER,
                "--engine",
                "pytorch-gpu",
                "--grace",
                "3s",
                "-o",
                "processes=per-node",
                "--",
                "sh",
                "-c",
                ranks,
                "sh");
        for (String rank : new String[] {"0", "1"}) {
            awaitFile(directory.resolve("up-" + rank));
        }
        slurm(scene, directory, "scancel", "--name", "stops").await().endedWith(0);

        Result ended = step.await();

        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(143);
        assertThat(directory.resolve("saved-0")).exists();
        String job = ended.messages().replaceAll("(?s).*muster: job (slurm-[0-9]+-0):.*", "$1");
        for (int node = 0; node < 2; node++) {
            JsonNode result = result(directory, job + "-node-" + node + "-result.json");
            assertThat(result.path("exitCode").asInt()).isEqualTo(143);
            assertThat(result.path("stopped").asBoolean()).isTrue();
        }
        // Muster killed the rank before Slurm would have killed Muster.
        assertThat(result(directory, job + "-node-1-result.json")
                        .path("processes")
                        .path(0)
                        .path("signal")
                        .asInt())
                .isEqualTo(9);
        ended.says("grace 3s");
    }

    /** Only the batch script gets SIGTERM. Slurm then sets no time limit, and muster stop gives the ranks their grace. */
    @Test
    void aBatchScriptGivesALongerGraceThanSlurm(Scene scene) {
        assertBatchScriptGives(scene, KILL_WAIT + 1);
    }

    /** The checkpoint takes a minute, twice as long as Slurm's usual limit. */
    @Tag("torture")
    @Test
    void aBatchScriptGivesAMinute(Scene scene) {
        assertBatchScriptGives(scene, 60);
    }

    private static void assertBatchScriptGives(Scene scene, int seconds) {
        Path directory = cluster.directory();
        String job = submit(
                scene,
                directory,
                "#SBATCH --nodes=1",
                "trap \"'" + MUSTER + "' stop --job slurm-$SLURM_JOB_ID --grace " + 2 * seconds
                        + "s; echo hook \\$?\" TERM",
                "'" + MUSTER + "' --engine pytorch-gpu --grace 1s -- sh -c \""
                        + SAVES.replace("$2", "0").replace("sleep 0.5", "sleep " + seconds) + "\" sh &",
                "wait; wait; wait");
        awaitFile(directory.resolve("up-0"));
        slurm(scene, directory, "scancel", "--batch", "--signal=TERM", job)
                .await()
                .endedWith(0);
        awaitFile(directory.resolve("saved-0"));
        awaitEnd(scene, directory, job);
        assertThat(Scene.read(directory.resolve("job.txt"))).contains("hook 0", "muster: exit 143");
    }

    /** srun ends with the highest code of its tasks. All tasks end with the same code. */
    @Test
    void oneRankThatFailsEndsTheStepWithItsCode(Scene scene) {
        Path directory = cluster.directory();
        String ranks = "case $2 in tcp*) shift 2;; esac; echo up > up-$2; until test -e up-0 -a -e up-1;"
                + " do sleep 0.05; done; test $2 != 1 || exit 3; exec sleep 600";
        String[] launcher = {"srun", "-N2", MUSTER, "--engine", "pytorch-gpu", "-o", "processes=per-node"};
        // On a busy machine a rank may fail before the link is complete, so the link is required.
        String[] step = SlurmIT.with(launcher, "--link", "required", "--", "sh", "-c", ranks, "sh");
        Result result = slurm(scene, directory, step).await();
        assertThat(result.exitCode()).as("%s", result).isEqualTo(3);
        assertThat(result.messages().lines().filter(line -> line.startsWith("muster: exit 3: node 1 (n2): rank 1 ")))
                .as("%s", result)
                .hasSize(1);
    }

    @Test
    void aJobThatIsQueuedAgainKeepsItsFirstResult(Scene scene) {
        Path directory = cluster.directory();
        String rank = "echo run ${SLURM_RESTART_COUNT-first} > up-${SLURM_RESTART_COUNT-first}-$4;"
                + " test -n \"$SLURM_RESTART_COUNT\" || exec sleep 1000";
        String job = submit(
                scene,
                directory,
                "#SBATCH --nodes=2 --ntasks-per-node=1 --requeue --open-mode=append",
                "srun '" + MUSTER + "' --engine pytorch-gpu -o processes=per-node -- sh -c '" + rank + "' sh");
        awaitFile(directory.resolve("up-first-0"));
        awaitFile(directory.resolve("up-first-1"));
        slurm(scene, directory, "scontrol", "requeue", job).await().endedWith(0);
        awaitFile(directory.resolve("up-1-1"));
        awaitEnd(scene, directory, job);

        String name = "slurm-" + job + "-0-node-1-result";
        JsonNode first = result(directory, name + ".1.json");
        JsonNode second = result(directory, name + ".json");
        assertThat(first.path("exitCode").asInt()).isEqualTo(143);
        assertThat(second.path("exitCode").asInt()).isZero();
        assertThat(second.path("attempt").asInt()).isEqualTo(2);
        assertThat(second.path("platformRestarts").asText()).isEqualTo("SLURM_RESTART_COUNT=1");
    }

    /**
     * Slurm may warn a minute too early, before the rank runs. So the test shortens the limit only when the rank runs.
     */
    @Test
    void theWarningBeforeTheTimeLimitIsAStop(Scene scene) {
        Path directory = cluster.directory();
        String job = submit(
                scene,
                directory,
                "#SBATCH --nodes=1 --time=10 --signal=B:TERM@30",
                "exec '" + MUSTER + "' --engine pytorch-gpu -- sh -c \"" + SAVES.replace("$2", "0") + "\" sh");
        awaitFile(directory.resolve("up-0"));
        slurm(scene, directory, "scontrol", "update", "JobId=" + job, "TimeLimit=1")
                .await()
                .endedWith(0);
        awaitFile(directory.resolve("saved-0"));
        awaitEnd(scene, directory, job);
        assertThat(Scene.read(directory.resolve("job.txt"))).contains("grace " + (KILL_WAIT - 2) + "s");
        assertThat(result(directory, "slurm-" + job + "-node-0-result.json")
                        .path("exitCodeFrom")
                        .asText())
                .isEqualTo("SIGTERM");
    }

    @Test
    void elementsOfAnArrayAreJobs(Scene scene) {
        Path directory = cluster.directory();
        String job = submit(
                scene,
                directory,
                "#SBATCH --nodes=2 --ntasks-per-node=1 --array=0-1",
                "srun '" + MUSTER + "' --engine pytorch-gpu -- true");
        awaitEnd(scene, directory, job);
        // The last element to start keeps the number of the array.
        for (int number : List.of(Integer.parseInt(job), Integer.parseInt(job) + 1)) {
            for (int node = 0; node < 2; node++) {
                assertThat(result(directory, "slurm-" + number + "-0-node-" + node + "-result.json")
                                .path("exitCode")
                                .asInt())
                        .isZero();
            }
        }
    }
}
