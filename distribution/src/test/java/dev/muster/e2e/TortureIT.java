package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs of random engines on random JDKs with random faults: {@code ./verify --torture}. Each job has its own seed, which repeats it.
 * The seeds count upwards from that of the first job.
 */
@Tag("torture")
class TortureIT {

    private static final int RUNS = Integer.getInteger("muster.torture.runs", 1);
    private static final long SEED = seed();
    private static final int AT_ONCE = Integer.getInteger("muster.torture.at.once", 4);
    private static final int BETWEEN_NEWS = 50;
    private static final int RUNS_OF_A_JOB_ON_HOSTS = 10;

    private final Map<FaultInjection.Wrong, Integer> wrongs =
            Collections.synchronizedMap(new EnumMap<>(FaultInjection.Wrong.class));
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void nothingIsLeftAndNothingIsLost() throws InterruptedException {
        Components.require("python3");
        EngineUnderTest.ALL.forEach(EngineUnderTest::requireComponents);
        runAll("runs", RUNS, FaultInjection::run);
    }

    /** Each job has about two faults and takes longer, so a thousand runs are a hundred of these jobs. */
    @Test
    @DisplayName("jobs of three hosts with restarts end after the right number of runs, and leave nothing")
    void jobsOnHostsThatFailEndAsTheyMust() throws InterruptedException {
        Components.requireRoot();
        Components.require("iptables");
        AtomicInteger faults = new AtomicInteger();
        int count = Math.max(1, RUNS / RUNS_OF_A_JOB_ON_HOSTS);
        runAll("jobs on hosts", count, seed -> faults.addAndGet(JobFaultInjection.run(seed)));
        say(faults + " faults of jobs of three hosts");
    }

    private void runAll(String what, int count, LongConsumer one) throws InterruptedException {
        say(count + " " + what + " from seed " + SEED);
        long began = System.nanoTime();
        ExecutorService lanes = Executors.newFixedThreadPool(AT_ONCE);
        for (int run = 0; run < count; run++) {
            long seed = SEED + run;
            lanes.execute(() -> run(seed, one, count));
        }
        lanes.shutdown();
        assertThat(lanes.awaitTermination(1, TimeUnit.DAYS)).isTrue();
        say(count + " " + what + " in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s: "
                + figures());
        assertThat(failures).isEmpty();
    }

    private static long seed() {
        String given = System.getProperty("muster.torture.seed", "");
        return given.isEmpty() ? System.currentTimeMillis() % 1_000_000_000 : Long.parseLong(given);
    }

    private void run(long seed, LongConsumer one, int count) {
        try {
            one.accept(seed);
        } catch (FaultInjection.Broken broken) {
            failed(broken.wrong(), String.valueOf(broken.getMessage()));
        } catch (RuntimeException | AssertionError other) {
            failed(FaultInjection.Wrong.OTHER, "seed " + seed + ": " + other);
        }
        int now = done.incrementAndGet();
        if (now % BETWEEN_NEWS == 0) {
            say(now + " of " + count + ": " + figures());
        }
    }

    private void failed(FaultInjection.Wrong wrong, String message) {
        wrongs.merge(wrong, 1, Integer::sum);
        failures.add(message);
        say(message);
    }

    private String figures() {
        return "orphans in " + count(FaultInjection.Wrong.ORPHAN) + ", lost bytes in "
                + count(FaultInjection.Wrong.LOST_BYTES)
                + ", a wrong code in " + count(FaultInjection.Wrong.CODE) + ", a wrong first cause in "
                + count(FaultInjection.Wrong.FIRST_CAUSE) + ", other trouble in " + count(FaultInjection.Wrong.OTHER);
    }

    private int count(FaultInjection.Wrong wrong) {
        return wrongs.getOrDefault(wrong, 0);
    }

    private static void say(String line) {
        System.out.println("torture: " + line);
    }
}
