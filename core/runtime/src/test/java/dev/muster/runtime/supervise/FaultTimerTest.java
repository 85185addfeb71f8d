package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.process.ProcessId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultTimerTest {

    private static final Optional<ProcessId> PROCESS = Optional.of(new ProcessId(4711, 12));

    private final BlockingQueue<ProcessId> killed = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private FaultTimer timer(String... faults) {
        List<Fault> all =
                Stream.of(faults).map(text -> Fault.parse(text).orElseThrow()).toList();
        return new FaultTimer(all, process -> true, killed::add, said::add);
    }

    @Test
    void killsTheRankThatIsMeantAndSaysSo() throws InterruptedException {
        try (FaultTimer timer = timer("rank=3,after=1ms")) {
            timer.started("2", Optional.of(new ProcessId(4710, 11)));
            timer.started("3", PROCESS);
            assertThat(killed.poll(10, TimeUnit.SECONDS)).isEqualTo(PROCESS.get());
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
        BlockingQueue<ProcessId> asked = new LinkedBlockingQueue<>();
        List<Fault> faults = List.of(Fault.parse("rank=3,after=0").orElseThrow());
        try (FaultTimer timer = new FaultTimer(faults, process -> !asked.add(process), killed::add, said::add)) {
            timer.started("3", PROCESS);
            assertThat(asked.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(killed).isEmpty();
        assertThat(said).containsExactly("--fail: rank 3 was not killed 0s after its start: this run was over before");
    }
}
