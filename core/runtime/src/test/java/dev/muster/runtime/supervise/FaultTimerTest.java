package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultTimerTest {

    private static final StartedProcess PROCESS = new StartedProcess(12, 4711);

    private final BlockingQueue<StartedProcess> killed = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private FaultTimer timer(String... faults) {
        List<Fault> all =
                Stream.of(faults).map(text -> Fault.parse(text).orElseThrow()).toList();
        return new FaultTimer(all, killed::add, said::add);
    }

    @Test
    void killsTheRankThatIsMeantAndSaysSo() throws InterruptedException {
        try (FaultTimer timer = timer("rank=3,after=1ms")) {
            timer.started("2", new StartedProcess(11, 4710));
            timer.started("3", PROCESS);
            assertThat(killed.poll(10, TimeUnit.SECONDS)).isEqualTo(PROCESS);
        }
        assertThat(said).containsExactly("--fail: killing rank 3 (pid 4711) 1ms after its start");
    }

    @Test
    void saysWhoWasNotKilled() {
        try (FaultTimer timer = timer("rank=3,after=1h", "rank=4,after=2s")) {
            timer.started("3", PROCESS);
        }
        assertThat(killed).isEmpty();
        assertThat(said)
                .containsExactly(
                        "--fail: rank 3 was not killed 1h after its start: this run was over before",
                        "--fail: rank 4 was not killed 2s after its start: this run was over before");
    }

    @Test
    void oneThatHasEndedIsNotKilled() throws InterruptedException {
        try (FaultTimer timer = timer("rank=3,after=0")) {
            timer.ended("3");
            timer.started("3", PROCESS);
            assertThat(killed.poll(100, TimeUnit.MILLISECONDS)).isNull();
        }
        assertThat(killed).isEmpty();
        assertThat(said).containsExactly("--fail: rank 3 was not killed 0s after its start: this run was over before");
    }
}
