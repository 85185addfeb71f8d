package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code muster stacks} of real hangs in PyTorch: the culprit comes first, with py-spy and without. */
@ExtendWith(Scenes.class)
class StacksIT {

    private static final Schema SCHEMA = Schema.of("stacks.schema.json");
    private static final Path PY_SPY =
            Path.of(System.getProperty("user.home"), ".cache/muster/py-spy-0.4.3/bin/py-spy");

    private static final String TRAINING = """
            import faulthandler, fcntl, os, signal, sys, time
            import torch
            import torch.distributed as dist
            from torch.utils.data import DataLoader, Dataset

            kind, scene, rank = sys.argv[1], sys.argv[2], int(os.environ["RANK"])
            faulthandler.register(signal.SIGUSR2, all_threads=True)

            def sleeps():
                time.sleep(600)

            def spins():
                while True:
                    pass

            def lock():
                first, second = open(scene + "/lock", "w"), open(scene + "/lock", "w")
                fcntl.flock(first, fcntl.LOCK_EX)
                fcntl.flock(second, fcntl.LOCK_EX)

            class Stuck(Dataset):
                def __len__(self):
                    return 8

                def __getitem__(self, index):
                    time.sleep(600)

            def load():
                for batch in DataLoader(Stuck(), num_workers=1):
                    return batch

            def stop():
                os.kill(os.getpid(), signal.SIGSTOP)

            def deadlock():
                dist.recv(torch.zeros(1), src=5 - rank)

            dist.init_process_group("gloo")
            dist.barrier()
            open(f"{scene}/ready-{rank}", "w").close()
            culprits = (2, 3) if kind == "deadlock" else (3,)
            if rank in culprits:
                globals()[kind]()
            dist.all_reduce(torch.ones(1))
            """;

    private static final int RANKS = 5;

    private static Launched train(Scene scene, String kind) throws IOException {
        String python = Components.requireTorch();
        Scene.write(scene.beside("train.py"), TRAINING);
        Path bin = Files.createDirectory(scene.beside("bin"));
        Launched job = scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--cards", Integer.toString(RANKS), "-o", "processes=per-card", "--job-id", scene.jobId())
                .with("--grace", "1s", "--", python, scene.beside("train.py").toString(), kind)
                .with(scene.beside("").toString())
                .set("PATH", bin + ":" + Invocation.PATH)
                .set("OMP_NUM_THREADS", "1")
                .start();
        Await.until(Training.LONG, () -> "all ranks are ready", () -> areThere(scene));
        return job;
    }

    private static boolean areThere(Scene scene) {
        for (String name : Scene.each("ready-", RANKS)) {
            if (Files.notExists(scene.beside(name))) {
                return false;
            }
        }
        return true;
    }

    private static Invocation stacks(Scene scene, String... options) {
        return scene.muster("stacks", "--job", scene.jobId()).with(options);
    }

    private static String summary(Scene scene, String... options) {
        String first = stacks(scene, options).run().endedWith(0).outputLines().get(0);
        return first.replaceAll("py:[0-9]+", "py:N");
    }

    private static void usePySpy(Scene scene) throws IOException {
        if (Files.isExecutable(PY_SPY)) {
            Files.createSymbolicLink(scene.beside("bin").resolve("py-spy"), PY_SPY);
        }
    }

    /** What stands first, without py-spy and with it. The kernel does not tell one wait for a rank from another. */
    @ParameterizedTest
    @CsvSource({
        "sleeps, rank 3 in clock_nanosleep, rank 3 in sleeps (train.py:N)",
        "spins, rank 3 in running, rank 3 in spins (train.py:N)",
        "lock, rank 3 in flock, rank 3 in lock (train.py:N)",
        "load, rank 3 in, rank 3 in __next__ (train.py:N)",
        "stop, rank 3 stopped by a signal in, rank 3 stopped by a signal in stop (train.py:N)",
        "deadlock, '', 2 ranks in recv (train.py:N)"
    })
    @DisplayName("real hangs in PyTorch: the culprit comes first")
    void theCulpritIsFirst(String kind, String byKernel, String byPySpy, Scene scene) throws IOException {
        Launched job = train(scene, kind);
        Await.until(
                "without py-spy it begins with " + byKernel,
                () -> summary(scene).startsWith(byKernel));
        usePySpy(scene);
        if (Files.isExecutable(PY_SPY)) {
            int others = kind.equals("deadlock") ? 3 : 4;
            String all = byPySpy + ", " + others + " ranks in all_reduce (train.py:N)";
            Await.until(
                    "with py-spy it is " + all + ": " + summary(scene),
                    () -> summary(scene).equals(all));
            JsonNode document = Json.parse(
                    stacks(scene, "--format", "json").run().endedWith(0).output());
            assertThat(SCHEMA.problems(document)).isEmpty();
        }
        job.signal("TERM").await();
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("without py-spy a rank that handles --stacks-signal prints its stack; ranks can be chosen")
    void faulthandlerTells(Scene scene) throws IOException {
        Launched job = train(scene, "sleeps");
        Await.until(
                "rank 3 sleeps",
                () -> summary(scene, "--stacks-signal", "USR2", "3").equals("rank 3 in sleeps (train.py:N)"));
        assertThat(stacks(scene, "--stacks-signal", "USR1", "3").run().output())
                .contains("the rank does not handle SIGUSR1", "clock_nanosleep");
        stacks(scene, "9").run().endedWith(0).says("no node tells of rank 9");
        stacks(scene, "none").run().endedWith(64).says("\"none\" is no rank");
        job.signal("TERM").await();
    }

    @Test
    @DisplayName("a node that is gone comes before the ranks that wait for it")
    void aNodeWithoutAnswerComesFirst(Scene scene) {
        String rank = scene.script("rank", ": > $scene/ready-$RANK", "exec sleep 600");
        Launched simulation = scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu", "--nodes", "2"))
                .with(
                        "--cards",
                        "2",
                        "-o",
                        "processes=per-card",
                        "--job-id",
                        scene.jobId(),
                        "--grace",
                        "1s",
                        "--",
                        rank)
                .start();
        scene.awaitFiles(Scene.each("ready-", 4));
        long jvm = Processes.jvm(TopIT.supervisor(scene, "node-1"));
        Processes.signal("STOP", jvm);
        List<String> lines = stacks(scene).run().endedWith(0).outputLines();
        Processes.signal("CONT", jvm);
        assertThat(lines.get(0)).isEqualTo("no answer from node-1, 2 ranks in clock_nanosleep");
        assertThat(lines.get(1)).matches("node-1 \\(.*\\) does not answer: .*");
        simulation.signal("TERM").await();
        scene.assertNothingIsLeft();
    }
}
