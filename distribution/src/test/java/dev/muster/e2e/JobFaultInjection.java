package dev.muster.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A job of three nodes with restarts, on hosts with a network of their own. One {@link JobFault} happens after another, until all
 * ranks succeed, a signal comes, or no restart is left. The same seed gives the same faults.
 */
final class JobFaultInjection {

    static final int NODES = 3;

    private static final int MOST_RESTARTS = 4;
    private static final int CODE_OF_STOP = 143;

    /** How long the ranks of an attempt may take to start: a loss is noticed after 4 s of silence, and the machine is busy. */
    private static final Duration TO_RISE = Duration.ofSeconds(90);

    private static final Duration TO_GIVE_UP = Duration.ofMinutes(2);

    /** Packets that are lost, in percent. */
    private static final List<Integer> LOST = List.of(0, 2, 5, 10);

    private final Random random;
    private final TestHosts hosts;
    private final LinkJob job;
    private final int restarts;
    private final OnHost[] launchers = new OnHost[NODES];
    /** Launchers that still run although another launcher has taken their place. */
    private final List<OnHost> replaced = new ArrayList<>();

    private final List<String> story = new ArrayList<>();
    private int run = 1;

    private JobFaultInjection(Random random, Scene scene) {
        this.random = random;
        this.hosts = TestHosts.in(scene, NODES);
        this.restarts = 1 + random.nextInt(MOST_RESTARTS);
        LinkEngine engine = random.nextBoolean() ? LinkEngine.PYTORCH_GPU : LinkEngine.ASCEND;
        this.job = new LinkJob(scene, hosts, engine, LinkJob.Form.OPTIONS, "faults")
                .with("--restarts", Integer.toString(restarts))
                .with("--lost-after", "4s", "--input-timeout", "60s")
                .script(
                        "echo rank $me in run $MUSTER_RUN: $$",
                        "trap 'exit 0' TERM",
                        "note up-$MUSTER_RUN",
                        "until [ -e $notes/end-$MUSTER_RUN-$me ]; do sleep 0.05; done",
                        "code=$(cat $notes/end-$MUSTER_RUN-$me)",
                        "[ $code != kill ] || kill -s KILL $$",
                        "exit $code");
    }

    /** Runs the job, and returns how many faults it has had. */
    static int run(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Scene scene = new Scene(Product.usual(), Jdk.newest(), EngineUnderTest.ALL.get(0));
        boolean passed = false;
        JobFaultInjection injection = null;
        try {
            injection = new JobFaultInjection(random, scene);
            int faults = injection.play();
            passed = true;
            return faults;
        } catch (AssertionError | RuntimeException wrong) {
            throw new FaultInjection.Broken(
                    FaultInjection.Wrong.OTHER,
                    "faults on hosts of seed " + seed + ": " + (injection == null ? "" : injection.told()) + ": "
                            + wrong);
        } finally {
            scene.clear(!passed);
        }
    }

    private String told() {
        StringBuilder words = new StringBuilder(restarts + " restarts: " + String.join("; ", story) + "\n");
        for (int node = 0; node < NODES; node++) {
            if (launchers[node] != null) {
                words.append("--- node ").append(node).append('\n').append(launchers[node].messages());
            }
            words.append("--- there:\n");
            hosts.get(node)
                    .processes()
                    .forEach(process ->
                            words.append(process.lines().findFirst().orElse("")).append('\n'));
        }
        return words.toString();
    }

    private int play() {
        int lost = LOST.get(random.nextInt(LOST.size()));
        if (lost > 0) {
            story.add(lost + "% of the packets are lost");
            hosts.all().forEach(host -> host.losesPackets(lost));
        }
        for (int node = 0; node < NODES; node++) {
            startAgain(node);
        }
        int wanted = random.nextInt(restarts + 2);
        int faults = 0;
        while (faults < wanted && isUp()) {
            FaultInjection.pass(random.nextInt(400));
            JobFault next = JobFault.any(random);
            story.add(next + " in run " + run);
            run += next.happen(this);
            faults++;
        }
        end();
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
        return faults;
    }

    /** Waits until all ranks of this attempt, or of a later one, run. Returns false if the job has ended. */
    private boolean isUp() {
        Await.until(TO_RISE, () -> "run " + run + " has begun", () -> hasEnded() || newest() >= run);
        if (hasEnded()) {
            return false;
        }
        run = newest();
        return true;
    }

    private boolean hasEnded() {
        return Arrays.stream(launchers).noneMatch(OnHost::isRunning);
    }

    private int newest() {
        return IntStream.rangeClosed(1, restarts + 1)
                .filter(number ->
                        IntStream.range(0, NODES).allMatch(rank -> job.notes().has("up-" + number, rank)))
                .max()
                .orElse(0);
    }

    private void end() {
        if (!isUp()) {
            story.add("no restart is left");
            mustEnd(OptionalInt.empty());
            return;
        }
        boolean isStopped = random.nextInt(3) == 0;
        story.add((isStopped ? "stopped" : "all succeed") + " in run " + run);
        if (isStopped) {
            launchers[random.nextInt(NODES)].signal("TERM");
        } else {
            succeed();
        }
        mustEnd(OptionalInt.of(isStopped ? CODE_OF_STOP : 0));
    }

    /** Lost packets may end an attempt at any moment, so the ranks of all later attempts succeed, too. */
    private void succeed() {
        for (int later = run; later <= restarts + 1; later++) {
            for (int rank = 0; rank < NODES; rank++) {
                job.notes().leave("end-" + later + "-" + rank, "0");
            }
        }
    }

    /** @param code the exit code of all launchers; empty: that of the last attempt */
    private void mustEnd(OptionalInt code) {
        for (OnHost launcher : launchers) {
            launcher.await(TO_GIVE_UP);
        }
        for (OnHost old : replaced) {
            // An old leader to which no member connects waits for the members.
            if (old.await(TO_GIVE_UP).exitCode() == 0) {
                throw new AssertionError("a launcher whose place was taken ended with 0");
            }
        }
        JobResults results = new JobResults(job, launchers);
        results.mustAgree();
        code.ifPresent(wanted -> results.mustEndWith(wanted, run));
    }

    // --- for the faults

    Random random() {
        return random;
    }

    int anyNode() {
        return random.nextInt(NODES);
    }

    int anyMember() {
        return 1 + random.nextInt(NODES - 1);
    }

    /** Waits until a launcher is between this attempt and the next one. Returns false if no restart is left. */
    boolean isBetweenRuns(int node) {
        if (run <= restarts) {
            launchers[node].awaitMessage("run " + (run + 1) + " begins in");
        }
        return run <= restarts;
    }

    TestHost host(int node) {
        return hosts.get(node);
    }

    OnHost launcher(int node) {
        return launchers[node];
    }

    void tell(int rank, String code) {
        job.notes().leave("end-" + run + "-" + rank, code);
    }

    /** Kills a container and deletes its files, except those that hosts share: a new container finds no file of the old launcher. */
    void killContainer(int node) {
        launchers[node].killContainer();
        hosts.get(node).shell("find /tmp /dev/shm -mindepth 1 -maxdepth 1 -user ma-user -exec rm -rf {} +");
        while (job.notes().has("up-" + (run + 1), node)) {
            run++;
        }
    }

    /** Kills a node's container, and starts another one within a time. */
    void replaceContainer(int node, int millis) {
        killContainer(node);
        FaultInjection.pass(random.nextInt(millis));
        startAgain(node);
    }

    void startAgain(int node) {
        launchers[node] = job.start(node);
    }

    /** Starts a new container although the old one still runs. */
    void startBeside(int node) {
        replaced.add(launchers[node]);
        startAgain(node);
    }
}
