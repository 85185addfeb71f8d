package dev.muster.e2e;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** One job to which one {@link Fault} happens at a random moment. The same seed gives the same job, fault and moment. */
final class FaultInjection {

    /** Kinds of wrong outcomes. */
    enum Wrong {
        ORPHAN,
        LOST_BYTES,
        CODE,
        FIRST_CAUSE,
        OTHER
    }

    /** The job had a wrong outcome. */
    static final class Broken extends AssertionError {
        private static final long serialVersionUID = 1;
        private final Wrong wrong;

        Broken(Wrong wrong, String message) {
            super(wrong + ": " + message);
            this.wrong = wrong;
        }

        Wrong wrong() {
            return wrong;
        }
    }

    private static final int MOST = 8;

    /** The grace of the jobs, and time for a busy machine. */
    private static final Duration TO_VANISH = Duration.ofSeconds(15);

    private final Random random;
    private final Scene scene;
    private final Fault fault;
    private final Printers ranks;
    private final Launched launcher;
    private Optional<Result> result = Optional.empty();

    private FaultInjection(Random random, Scene scene, Fault fault) {
        this.random = random;
        this.scene = scene;
        this.fault = fault;
        this.ranks = new Printers(scene, 1 + random.nextInt(scene.engine().atMost(MOST)));
        this.launcher = scene.job(ranks.count(), "--prefix", "none", "--grace", "2s")
                .with(ranks.command())
                .start();
    }

    /** Runs a random fault on a random engine and JDK. */
    static String run(long seed) {
        Random random = random(seed);
        EngineUnderTest engine = pick(random, EngineUnderTest.ALL);
        return run(seed, random, pick(random, List.of(Fault.values())), engine, pick(random, Jdk.all()));
    }

    /** Runs a given fault; the number of ranks and the moment are random. */
    static String run(long seed, Fault fault, EngineUnderTest engine, Jdk jdk) {
        return run(seed, random(seed), fault, engine, jdk);
    }

    /** @return one line: seed, engine, JDK and fault */
    private static String run(long seed, Random random, Fault fault, EngineUnderTest engine, Jdk jdk) {
        String name = "seed " + seed + ", " + engine.id() + ", " + jdk + ", "
                + fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        Scene scene = new Scene(Product.home(), jdk, engine);
        boolean passed = false;
        try {
            new FaultInjection(random, scene, fault).play();
            passed = true;
            return name;
        } catch (Broken broken) {
            throw new Broken(broken.wrong(), name + ": " + broken.getMessage());
        } catch (AssertionError | RuntimeException other) {
            throw new Broken(Wrong.OTHER, name + ": " + other);
        } finally {
            scene.clear(!passed);
        }
    }

    /** Spreads the seeds: neighbouring seeds would begin with similar numbers. */
    private static Random random(long seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }

    private static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void play() {
        if (fault.waitsForRanks()) {
            ranks.awaitFirstLines();
            ranks.awaitMore(random.nextInt(ranks.count()), random.nextInt(100));
        }
        fault.happen(this);
        if (!Await.holdsWithin(TO_VANISH, () -> Processes.tagged(scene.tag()).isEmpty())) {
            throw new Broken(Wrong.ORPHAN, "left are " + Processes.tagged(scene.tag()) + " after " + result);
        }
    }

    /** Waits. The random part of a fault is mostly its moment. */
    static void pass(int millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    Random random() {
        return random;
    }

    EngineUnderTest engine() {
        return scene.engine();
    }

    Printers ranks() {
        return ranks;
    }

    Launched launcher() {
        return launcher;
    }

    int tasks() {
        return engine().tasks(ranks.count());
    }

    int anyRank() {
        return random.nextInt(ranks.count());
    }

    void mustEndWith(int code) {
        Result end = end();
        if (end.exitCode() != code) {
            throw new Broken(Wrong.CODE, "not " + code + " but " + end);
        }
    }

    void mustHaveBeenTerminated() {
        try {
            end().wasTerminated();
        } catch (AssertionError wrong) {
            throw new Broken(Wrong.CODE, String.valueOf(wrong.getMessage()));
        }
    }

    /** Demands that the verdict names a rank. */
    void mustName(int rank) {
        Pattern verdict = Pattern.compile("exit [0-9]+: " + engine().failing(rank) + "\\b");
        if (!verdict.matcher(end().messages()).find()) {
            throw new Broken(Wrong.FIRST_CAUSE, "not " + engine().failing(rank) + " but " + end());
        }
    }

    /** Demands all output, except of ranks under mpirun: it drops output after a failure. */
    void mustHaveAllLines(Optional<Integer> killed) {
        if (engine().startsProcessesItself()) {
            ranks.lost(killed, Optional.of(end())).ifPresent(lost -> {
                throw new Broken(Wrong.LOST_BYTES, lost + " after " + end());
            });
        }
    }

    private Result end() {
        if (result.isEmpty()) {
            result = Optional.of(launcher.await());
        }
        return result.get();
    }
}
