package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Time that passes, and what comes first. */
@Timeout(60)
class OrderInTimeTest {

    private static final Condition A = exited("a");
    private static final Condition B = exited("b");
    private static final Condition C = exited("c");
    private static final Condition BOTH = exited("a", "b");

    @TempDir
    private Path directory;

    private final BlockingQueue<Condition> met = new LinkedBlockingQueue<>();
    private @Nullable ConditionWatch open;

    @AfterEach
    void endTheThread() {
        if (open != null) {
            open.close();
        }
    }

    @Test
    void timeCountsFromTheStart() throws Exception {
        // It goes on by itself, too: a file is looked at again only after some time.
        AtomicLong turned = new AtomicLong(77);
        LongSupplier clock = () -> System.nanoTime() + turned.get();
        Condition elapsed = new Condition.Elapsed(Duration.ofHours(30));
        Path file = directory.resolve("looked at again and again");
        Condition ready = new Condition.FileReady(file.toString());
        ConditionWatch watch = watch(clock, elapsed, ready);
        assertThat(watch.reason(elapsed)).isEqualTo("30h has not passed since the start");

        turned.addAndGet(Duration.ofHours(29).toNanos());
        Files.writeString(file, "x");
        assertThat(next()).isEqualTo(ready);
        assertThat(watch.isMet(elapsed)).isFalse();
    }

    @Test
    void timePassesWithoutAnyOtherThingToWatch() throws Exception {
        Condition elapsed = new Condition.Elapsed(Duration.ofMillis(20));
        Condition never = new Condition.Elapsed(Duration.ofHours(999_999_999));
        long start = System.nanoTime();
        watch(elapsed, never);

        assertThat(next()).isEqualTo(elapsed);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
        assertThat(met).isEmpty();
    }

    @Test
    void aTurnedClockIsEnough() throws Exception {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
        Condition elapsed = new Condition.Elapsed(Duration.ofMinutes(30));
        watch(
                clock::get,
                elapsed,
                new Condition.FileReady(directory.resolve("never").toString()));

        clock.addAndGet(Duration.ofMinutes(30).toNanos());

        assertThat(next()).isEqualTo(elapsed);
    }

    @Test
    void noTimeAtAllHasPassedAtOnce() {
        Condition elapsed = new Condition.Elapsed(Duration.ZERO);
        watch(elapsed, new Condition.Before(elapsed, BOTH), new Condition.Before(BOTH, elapsed));

        assertThat(met).containsExactly(elapsed, new Condition.Before(elapsed, BOTH));
    }

    @Test
    void whatComesFirstDecidesAnOrderForEver() {
        Condition aFirst = new Condition.Before(A, B);
        Condition bFirst = new Condition.Before(B, A);
        ConditionWatch watch = watch(aFirst, bFirst);
        assertThat(met).isEmpty();
        assertThat(watch.reason(aFirst)).isEqualTo("a has not ended");

        watch.ended("a", 1);
        assertThat(met).containsExactly(aFirst);
        watch.ended("b", 2);

        assertThat(met).containsExactly(aFirst);
        assertThat(watch.isMet(aFirst)).isTrue();
        assertThat(watch.isMet(bFirst)).isFalse();
        assertThat(watch.reason(bFirst)).isEqualTo("it is too late for it: a has ended");
    }

    @Test
    void ofTwoAtTheSameMomentNeitherIsBefore() {
        Condition both = new Condition.AllOf(List.of(A, B));
        Condition sameMoment = new Condition.Before(both, BOTH);
        ConditionWatch watch = watch(sameMoment);

        watch.ended("a", 1);
        watch.ended("b", 2);

        assertThat(met).isEmpty();
        assertThat(watch.reason(sameMoment)).isEqualTo("it is too late for it: a, b have ended");
    }

    @Test
    void ordersCanBePartsOfAnything() {
        Condition aFirst = new Condition.Before(A, B);
        Condition bFirst = new Condition.Before(B, A);
        Condition inner = new Condition.Before(aFirst, C);
        Condition other = new Condition.Before(C, bFirst);
        Condition whole = new Condition.AllOf(List.of(new Condition.AnyOf(List.of(bFirst, inner)), other));
        ConditionWatch watch = watch(whole);

        watch.ended("a", 1);
        assertThat(watch.isMet(inner)).isTrue();
        assertThat(met).isEmpty();
        watch.ended("b", 2);
        watch.ended("c", 3);

        assertThat(met).containsExactly(whole);
    }

    @Test
    void saysWhenAProcessMadeItTrue() {
        List<Long> times = new ArrayList<>();
        ConditionWatch watch = new ConditionWatch(
                List.of(A), new NoInquirer(), System::nanoTime, (condition, when) -> times.add(when));
        watch.start();

        watch.ended("a", 4711);

        assertThat(times).containsExactly(4711L);
    }

    @Test
    void aPortThatIsOpenInTimeIsSeenBeforeTheTimeHasPassed() throws Exception {
        AtomicLong clock = new AtomicLong();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Condition opened = new Condition.PortOpen("127.0.0.1", server.getLocalPort());
            Condition elapsed = new Condition.Elapsed(Duration.ofMinutes(30));
            Condition late = new Condition.Before(elapsed, opened);
            Condition never = new Condition.FileReady(directory.resolve("never").toString());
            ConditionWatch watch = watch(clock::get, opened, elapsed, late, never);
            assertThat(next()).isEqualTo(opened);

            clock.addAndGet(Duration.ofMinutes(30).toNanos());

            assertThat(next()).isEqualTo(elapsed);
            assertThat(watch.isMet(late)).isFalse();
        }
    }

    private ConditionWatch watch(Condition... conditions) {
        return watch(System::nanoTime, conditions);
    }

    private ConditionWatch watch(LongSupplier clock, Condition... conditions) {
        open = new ConditionWatch(
                List.of(conditions), new NoInquirer(), clock, (condition, when) -> met.add(condition));
        open.start();
        return open;
    }

    private Condition next() throws InterruptedException {
        return Objects.requireNonNull(met.poll(30, TimeUnit.SECONDS), "nothing came true");
    }

    private static Condition exited(String... ids) {
        return new Condition.Exited(new TreeSet<>(Set.of(ids)));
    }
}
