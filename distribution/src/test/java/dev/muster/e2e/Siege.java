package dev.muster.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A job of three nodes with restarts, to which one {@link Assault} happens after another, until it ends: because all ranks have, by a
 * signal, or when the last restart is used up. The same seed gives the same assaults.
 */
final class Siege {

    private static final int NODES = 3;
    private static final int MOST_RESTARTS = 4;
    private static final int CODE_OF_LOST = 75;

    /** Until the next run is up: the loss of a launcher is noticed after 5 s, and the machine is busy. */
    private static final Duration TO_RISE = Duration.ofSeconds(60);

    private static final Duration TO_END = Duration.ofSeconds(45);

    private final Random random;
    private final SiegeEngine engine;
    private final Scene scene;
    private final String id;
    private final Path notes;
    private final Invocation[] invocations = new Invocation[NODES];
    private final Launched[] launchers = new Launched[NODES];
    private final int restarts;
    private final List<String> story = new ArrayList<>();
    private final String net;
    private int run = 1;
    private int replaced;
    /** How many runs more there may have been than were seen. */
    private int spare;

    private Siege(long seed, Random random, Scene scene, SiegeEngine engine) {
        this.random = random;
        this.scene = scene;
        this.engine = engine;
        this.id = "siege-" + seed;
        this.notes = scene.beside("notes");
        this.net = "127." + (64 + random.nextInt(60)) + "." + random.nextInt(250) + ".";
        this.restarts = 1 + random.nextInt(MOST_RESTARTS);
    }

    /**
     * Plays it.
     *
     * @return how many assaults the job has had
     */
    static int run(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        SiegeEngine engine = SiegeEngine.any(random);
        Scene scene = new Scene(Jdk.newest(), EngineUnderTest.ALL.get(0));
        Siege siege = new Siege(seed, random, scene, engine);
        boolean passed = false;
        try {
            int assaults = siege.play();
            passed = true;
            return assaults;
        } catch (Ordeal.Broken broken) {
            throw siege.broken(seed, broken.wrong(), String.valueOf(broken.getMessage()));
        } catch (AssertionError | RuntimeException other) {
            throw siege.broken(seed, Ordeal.Wrong.OTHER, other.toString());
        } finally {
            scene.clear(!passed);
        }
    }

    private Ordeal.Broken broken(long seed, Ordeal.Wrong wrong, String message) {
        return new Ordeal.Broken(
                wrong,
                "siege of seed " + seed + ", " + engine.id() + ", " + restarts + " restarts: "
                        + String.join("; ", story) + ": " + message + "\n" + words());
    }

    /** What all launchers have said. */
    private String words() {
        StringBuilder words = new StringBuilder();
        for (int node = 0; node < NODES; node++) {
            if (launchers[node] != null) {
                words.append("--- node ").append(node).append('\n').append(launchers[node].messages());
            }
        }
        return words.toString();
    }

    private int play() {
        prepare();
        for (int node = 0; node < NODES; node++) {
            start(node);
        }
        int wanted = random.nextInt(restarts + 1);
        int assaults = 0;
        while (run <= wanted) {
            awaitRun();
            Ordeal.pass(random.nextInt(400));
            if (run > restarts) {
                break;
            }
            Assault next = Assault.any(random, restarts - run + 1);
            next.happen(this);
            assaults += next.count();
            run++;
            spare = next.count() - 1;
        }
        int more = end();
        if (!Await.holdsWithin(TO_END, () -> Processes.tagged(scene.tag()).isEmpty())) {
            throw new Ordeal.Broken(Ordeal.Wrong.ORPHAN, "left are " + Processes.tagged(scene.tag()));
        }
        return assaults + more;
    }

    private void prepare() {
        try {
            Files.createDirectory(notes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        int[] ports = Listener.free(1 + engine.ports(NODES));
        // Last words differ from run to run: the same ones three times would end the job.
        String command = scene.script(
                "siege",
                engine.preamble(),
                "note=" + notes + "/up-$MUSTER_RUN-$me",
                "echo rank $me in run $MUSTER_RUN: $$",
                "echo $$ >$note.part && mv $note.part $note",
                "until [ -e " + notes + "/end-$MUSTER_RUN-$me ]; do sleep 0.05; done",
                "exit $(cat " + notes + "/end-$MUSTER_RUN-$me)");
        for (int node = 0; node < NODES; node++) {
            invocations[node] = scene.apart(scene.muster("--engine", engine.id(), "--platform", "none", "--job-id", id))
                    .with("--nodes", Integer.toString(NODES), "--node-index", Integer.toString(node))
                    .with("--hosts", net + "1," + net + "2," + net + "3", "--link-port", Integer.toString(ports[0]))
                    .with("--restarts", Integer.toString(restarts), "--restart-delay", "100ms")
                    .with("--grace", "2s", "--input-timeout", "60s", "--prefix", "none")
                    .with("--log-dir", scene.beside("logs-" + node).toString())
                    .with(engine.options(net, node, ports, scene))
                    .with("--", command);
        }
    }

    private void start(int node) {
        launchers[node] = invocations[node].start();
    }

    /** Waits until all ranks of this run are there, or of one soon after it. */
    private void awaitRun() {
        int first = run;
        Await.until(TO_RISE, () -> "all ranks of run " + first + " are there", () -> {
            requireLaunchers();
            for (run = first; run <= first + spare; run++) {
                if (Arrays.stream(ranks()).allMatch(this::isUp)) {
                    return true;
                }
            }
            return false;
        });
        spare = 0;
    }

    private boolean isUp(int rank) {
        return Files.exists(note(rank)) && Processes.isRunning(pid(rank));
    }

    private long pid(int rank) {
        return Long.parseLong(Scene.read(note(rank)).strip());
    }

    private int[] ranks() {
        int[] ranks = new int[NODES];
        Arrays.setAll(ranks, rank -> rank);
        return ranks;
    }

    private void requireLaunchers() {
        for (int node = 0; node < NODES; node++) {
            if (!launchers[node].isRunning()) {
                throw new Ordeal.Broken(
                        Ordeal.Wrong.CODE, "the launcher of node " + node + " ended before run " + run + " was up");
            }
        }
    }

    private Path note(int rank) {
        return notes.resolve("up-" + run + "-" + rank);
    }

    // --- what happens to it

    Random random() {
        return random;
    }

    int anyNode() {
        return random.nextInt(NODES);
    }

    void killRank(int rank) {
        story.add("rank " + rank + " killed in run " + run);
        // It may have ended with another one.
        ProcessHandle.of(pid(rank)).ifPresent(ProcessHandle::destroyForcibly);
    }

    void endRank(int rank, int code) {
        story.add("rank " + rank + " ends with " + code + " in run " + run);
        tell(rank, code);
    }

    private void tell(int rank, int code) {
        Path end = notes.resolve("end-" + run + "-" + rank);
        Path part = notes.resolve("end-" + run + "-" + rank + ".part");
        Scene.write(part, Integer.toString(code));
        part.toFile().renameTo(end.toFile());
    }

    /** As when its container is gone, and nobody can say anything any more. */
    void killContainer(int node) {
        story.add("container " + node + " killed in or before run " + run);
        ProcessHandle.of(launchers[node].pid())
                .ifPresent(launcher -> Stream.concat(Stream.of(launcher), launcher.descendants())
                        .toList()
                        .forEach(ProcessHandle::destroyForcibly));
        launchers[node].await(TO_END);
    }

    /** The shell that has started it; the rest may still say so. */
    void killLauncher(int node) {
        story.add("launcher " + node + " killed in run " + run);
        launchers[node].signal("KILL").await(TO_END);
    }

    /** A new container for the node. */
    void startAgain(int node) {
        story.add("and started again");
        start(node);
        engine.hasCome(net, ++replaced, scene);
    }

    // --- its end

    /** @return how many assaults more it took */
    private int end() {
        int way = random.nextInt(3);
        if (way == 0) {
            return stopAtAnyTime();
        }
        awaitRun();
        if (way == 1 && run > restarts) {
            return useUp();
        }
        story.add("all ranks end with 0 in run " + run);
        for (int rank : ranks()) {
            tell(rank, 0);
        }
        mustEnd(0, ranks());
        mustHaveRuns(run, run);
        return 0;
    }

    /** In the middle of a run, between two of them, or when one begins. */
    private int stopAtAnyTime() {
        if (random.nextBoolean()) {
            awaitRun();
        }
        Ordeal.pass(random.nextInt(1500));
        int node = anyNode();
        story.add("SIGTERM to launcher " + node + " about run " + run);
        launchers[node].signal("TERM");
        mustEnd(128 + 15, ranks());
        mustHaveRuns(run - 1, run + spare);
        return 1;
    }

    /** There is no restart left. */
    private int useUp() {
        int code = 1 + random.nextInt(100);
        int node = anyNode();
        int way = random.nextInt(3);
        if (way == 0) {
            killRank(node);
            mustEnd(137, ranks());
        } else if (way == 1) {
            endRank(node, code);
            mustEnd(code, ranks());
        } else {
            killLauncher(node);
            int lost = node;
            mustEnd(
                    CODE_OF_LOST,
                    Arrays.stream(ranks()).filter(each -> each != lost).toArray());
        }
        mustHaveRuns(run, run);
        return 1;
    }

    private void mustEnd(int code, int... nodes) {
        for (int node : nodes) {
            Result result = launchers[node].await(TO_END);
            if (result.exitCode() != code) {
                throw new Ordeal.Broken(
                        Ordeal.Wrong.CODE,
                        "node " + node + " ended with " + result.exitCode() + " and not with " + code);
            }
        }
    }

    /** As the result says that knows the most runs: a launcher that came late knows those since then. */
    private void mustHaveRuns(int fewest, int most) {
        int runs = 0;
        for (int node : ranks()) {
            Path file = scene.beside("logs-" + node).resolve(id + "-node-" + node + "-result.json");
            if (Files.exists(file)) {
                runs = Math.max(runs, runs(Json.parse(Scene.read(file))));
            }
        }
        if (runs < fewest || runs > most) {
            throw new Ordeal.Broken(
                    Ordeal.Wrong.RUNS, "results tell of " + runs + " runs and not of " + fewest + ".." + most);
        }
    }

    /** The number of the last one. */
    private static int runs(JsonNode result) {
        JsonNode runs = result.path("runs");
        return runs.isEmpty() ? 0 : runs.get(runs.size() - 1).path("run").asInt();
    }
}
