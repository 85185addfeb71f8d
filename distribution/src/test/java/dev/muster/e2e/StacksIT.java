package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code muster stacks} of real hangs in PyTorch: the culprit comes first, with py-spy and without. */
@Order(1)
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

            scene, kinds, rank = sys.argv[1], sys.argv[2:], int(os.environ["RANK"])
            faulthandler.register(signal.SIGUSR2, all_threads=True)

            class Next(Exception):
                pass

            def go_on(*ignored):
                raise Next

            signal.signal(signal.SIGUSR1, go_on)

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
                while True:
                    time.sleep(0.1)

            def deadlock():
                dist.recv(torch.zeros(1), src=5 - rank)

            dist.init_process_group("gloo")
            for kind in kinds:
                dist.barrier()
                open(f"{scene}/{kind}-{rank}", "w").close()
                if rank in ((2, 3) if kind == "deadlock" else (3,)):
                    try:
                        globals()[kind]()
                    except Next:
                        pass
                dist.all_reduce(torch.ones(1))
            """;

    private static final int RANKS = 5;

    /** A job that hangs in one way after another. The culprit goes on at SIGUSR1, but not from a deadlock. */
    private static Launched train(Scene scene, String... kinds) throws IOException {
        String python = Components.requireTorch();
        Scene.write(scene.beside("train.py"), TRAINING);
        Path bin = Files.createDirectory(scene.beside("bin"));
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--cards", Integer.toString(RANKS), "-o", "processes=per-card", "--job-id", scene.jobId())
                .with("--grace", "1s", "--", python, scene.beside("train.py").toString())
                .with(scene.beside("").toString())
                .with(kinds)
                .set("PATH", bin + ":" + Invocation.PATH)
                .set("OMP_NUM_THREADS", "1")
                .start();
    }

    private static void awaitAll(Scene scene, String kind) {
        Await.until(Training.LONG, () -> "all ranks have begun with " + kind, () -> areThere(scene, kind));
    }

    private static boolean areThere(Scene scene, String kind) {
        for (String name : Scene.each(kind + "-", RANKS)) {
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

    private static Path pySpy(Scene scene) {
        return scene.beside("bin").resolve("py-spy");
    }

    private static long culprit(Scene scene) {
        JsonNode node = Json.parse(scene.muster("top", "--job", scene.jobId(), "--format", "json")
                        .run()
                        .endedWith(0)
                        .output())
                .at("/nodes/0/ranks");
        for (JsonNode rank : node) {
            if (rank.get("rank").asInt() == 3) {
                return rank.get("pid").asLong();
            }
        }
        throw new AssertionError("no rank 3: " + node);
    }

    /** The first entry of the summary, without and with py-spy. The kernel alone cannot tell on what a rank waits. */
    private record Hang(String kind, String byKernel, String byPySpy) {

        void isTold(Scene scene) throws IOException {
            awaitAll(scene, kind);
            Await.until(
                    kind + ": without py-spy it begins with " + byKernel,
                    () -> summary(scene).startsWith(byKernel));
            if (Files.isExecutable(PY_SPY)) {
                Files.createSymbolicLink(pySpy(scene), PY_SPY);
                int others = kind.equals("deadlock") ? 3 : 4;
                String all = byPySpy + ", " + others + " ranks in all_reduce (train.py:N)";
                Await.until(
                        kind + ": with py-spy it is " + all,
                        () -> summary(scene).equals(all));
                JsonNode document = Json.parse(
                        stacks(scene, "--format", "json").run().endedWith(0).output());
                assertThat(SCHEMA.problems(document)).isEmpty();
                Files.delete(pySpy(scene));
            }
        }
    }

    private static final List<Hang> HANGS = List.of(
            new Hang("sleeps", "rank 3 in clock_nanosleep", "rank 3 in sleeps (train.py:N)"),
            new Hang("spins", "rank 3 in running", "rank 3 in spins (train.py:N)"),
            new Hang("lock", "rank 3 in flock", "rank 3 in lock (train.py:N)"),
            new Hang("stop", "rank 3 stopped by a signal in", "rank 3 stopped by a signal in stop (train.py:N)"),
            new Hang("load", "rank 3 in", "rank 3 in __next__ (train.py:N)"),
            new Hang("deadlock", "", "2 ranks in recv (train.py:N)"));

    private static void goOn(Scene scene, String kind) {
        if (!kind.equals("deadlock")) {
            long culprit = culprit(scene);
            // Not to others: it would end the next hang, where that is a stop.
            if (kind.equals("stop")) {
                // SIGCONT comes first: else any thread might get SIGUSR1, and Python's main thread would handle it too
                // late.
                Processes.signal("CONT", culprit);
            }
            Processes.signal("USR1", culprit);
        }
    }

    @Test
    @DisplayName(
            "real hangs in PyTorch: the culprit comes first; without py-spy a rank that handles --stacks-signal prints"
                    + " its stack; ranks can be chosen")
    void theCulpritIsFirst(Scene scene) throws IOException {
        Launched job = train(scene, HANGS.stream().map(Hang::kind).toArray(String[]::new));
        for (Hang hang : HANGS) {
            hang.isTold(scene);
            if (hang.kind().equals("sleeps")) {
                assertFaulthandlerTells(scene);
            }
            goOn(scene, hang.kind());
        }
        job.signal("TERM").await();
        scene.assertNothingIsLeft();
    }

    private static void assertFaulthandlerTells(Scene scene) {
        Await.until(
                "rank 3 sleeps",
                () -> summary(scene, "--stacks-signal", "USR2", "3").equals("rank 3 in sleeps (train.py:N)"));
        assertThat(stacks(scene, "--stacks-signal", "QUIT", "3").run().output())
                .contains("the rank does not handle SIGQUIT", "clock_nanosleep");
        stacks(scene, "9").run().endedWith(0).says("no node tells of rank 9");
        stacks(scene, "none").run().endedWith(64).says("\"none\" is not a list of ranks");
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
