package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.ports.TestPorts;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConditionWatchTest {

    private static final Condition BOTH = Condition.exited(Set.of("a", "b"));

    private final BlockingQueue<Condition> met = new LinkedBlockingQueue<>();
    private @Nullable ConditionWatch open;

    @AfterEach
    void endTheThread() {
        if (open != null) {
            open.close();
        }
        await("the probing thread to end", () -> !isProbing());
    }

    @Test
    void saysAtOnceWhatIsTrueFromTheBeginning() {
        watch(Condition.IMMEDIATELY, Condition.exited(List.of()));

        assertThat(met).containsExactly(Condition.IMMEDIATELY, Condition.exited(List.of()));
    }

    @Test
    void needsNoThreadForProcesses() {
        watch(Condition.IMMEDIATELY, BOTH);

        assertThat(isProbing()).isFalse();
    }

    @Test
    void knowsWhenAllProcessesHaveEnded() {
        ConditionWatch watch = watch(BOTH);

        watch.ended("b", 2);
        assertThat(met).isEmpty();
        assertThat(watch.reason(BOTH)).isEqualTo("a has not ended");
        watch.ended("a", 1);
        watch.ended("a", 1);

        assertThat(met).containsExactly(BOTH);
        assertThat(watch.isMet(BOTH)).isTrue();
        assertThat(watch.reason(BOTH)).isEqualTo("it holds");
    }

    @Test
    void equalConditionsAreOne() {
        watch(BOTH, Condition.exited(Set.of("b", "a"))).ended("a", 1);
        open().ended("b", 2);

        assertThat(met).hasSize(1);
    }

    @Test
    void seesAPortOpen() throws Exception {
        int port = TestPorts.free();
        Condition condition = Condition.portOpen("127.0.0.1", port);
        ConditionWatch watch = watch(condition);
        await("a refusal", () -> watch.reason(condition).equals("port " + port + " of 127.0.0.1 refuses connections"));
        assertThat(met).isEmpty();

        try (ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            assertThat(server.isBound()).isTrue();
            assertThat(next()).isEqualTo(condition);
        }
        assertThat(watch.isMet(condition)).isTrue();
    }

    @Test
    void findsHostsByName() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Condition condition = Condition.portOpen("localhost", server.getLocalPort());
            watch(condition);

            assertThat(next()).isEqualTo(condition);
        }
    }

    @Test
    void saysThatAHostHasNoAddress() {
        String longerThanNamesCanBe = "x".repeat(64);
        Condition condition = Condition.portOpen(longerThanNamesCanBe, 22);
        ConditionWatch watch = watch(condition);

        await(
                "the answer",
                () -> watch.reason(condition)
                        .equals("port 22 of " + longerThanNamesCanBe + " cannot be found: its name has no address"));
    }

    /** The server accepts no connection. A connection that does not fit into its queue gets no answer. */
    @Test
    void saysThatAHostDoesNotAnswer() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket first = new Socket();
                Socket second = new Socket()) {
            first.connect(server.getLocalSocketAddress());
            second.connect(server.getLocalSocketAddress());
            Condition condition = Condition.portOpen("127.0.0.1", server.getLocalPort());
            ConditionWatch watch = watch(condition);

            await("no answer", () -> watch.reason(condition).endsWith(" does not answer"));
            assertThat(watch.brief(condition)).isEqualTo("127.0.0.1 (no answer)");
        }
    }

    @Test
    void remembersThatAPortWasOpen() throws IOException {
        Condition open;
        ConditionWatch watch;
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            open = Condition.portOpen("127.0.0.1", server.getLocalPort());
            watch = watch(open, BOTH);
            await("the port to be seen", () -> watch.isMet(open));
        }

        watch.ended("a", 1);
        watch.ended("b", 2);

        assertThat(watch.isMet(open)).isTrue();
        assertThat(met).containsExactly(open, BOTH);
    }

    /** A port opens just as the last process ends. The listener must get both in the order in which they came true. */
    @Test
    void saysWhatTwoThreadsHaveToSayInTheOrderInWhichItCameTrue() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Condition port = Condition.portOpen("127.0.0.1", server.getLocalPort());
            open = new ConditionWatch(List.of(port, BOTH), System::nanoTime, (condition, when) -> {
                if (condition.equals(port)) {
                    endBothBeside();
                }
                met.add(condition);
            });
            open.start();

            assertThat(next()).isEqualTo(port);
            assertThat(next()).isEqualTo(BOTH);
        }
    }

    /** Returns when the other thread is blocked or has reported the two ends. */
    private void endBothBeside() {
        Thread other = new Thread(() -> {
            open().ended("a", 1);
            open().ended("b", 2);
        });
        other.start();
        await("the other thread", () -> other.getState() == Thread.State.BLOCKED || !other.isAlive());
    }

    @Test
    void theThreadEndsWhenNothingIsLeftToLookAfter() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            watch(Condition.portOpen("127.0.0.1", server.getLocalPort()));
            assertThat(next()).isNotNull();
        }

        await("the probing thread to end", () -> !isProbing());
    }

    @Test
    void saysNothingAfterItWasClosed() {
        ConditionWatch watch = watch(BOTH);
        watch.close();
        watch.ended("a", 1);
        watch.ended("b", 2);

        assertThat(met).isEmpty();
    }

    private ConditionWatch watch(Condition... conditions) {
        open = new ConditionWatch(List.of(conditions), System::nanoTime, (condition, when) -> met.add(condition));
        open.start();
        return open;
    }

    private ConditionWatch open() {
        return Objects.requireNonNull(open);
    }

    private Condition next() throws InterruptedException {
        Condition condition = met.poll(30, TimeUnit.SECONDS);
        assertThat(condition).isNotNull();
        return Objects.requireNonNull(condition);
    }

    private static boolean isProbing() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("conditions"));
    }

    private interface Fact {
        boolean holds();
    }

    private static void await(String what, Fact fact) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!fact.holds()) {
            assertThat(System.nanoTime() - deadline).as("waiting for " + what).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
