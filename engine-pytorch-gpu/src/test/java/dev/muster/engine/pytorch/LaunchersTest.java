package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.PlanException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchersTest {

    @Test
    void theNodeWhereRanksMeetLeads() throws PlanException {
        LauncherNodes launchers =
                launchers(new TestJob().node(1, 2).hosts("first", "second")).orElseThrow();

        assertThat(launchers.own()).isEqualTo("node-1");
        assertThat(launchers.leading().host()).contains(Host.of("first", Optional.of("first")));
        assertThat(launchers.all().get(1).host()).contains(Host.of("second", Optional.empty()));
    }

    @Test
    void theAddressOfTheRendezvousIsItsOtherNameOrItsOnlyOne() throws PlanException {
        TestJob job = new TestJob().node(1, 2).option("master-addr", "10.0.0.1");

        assertThat(launchers(job).orElseThrow().leading().host())
                .contains(Host.of("10.0.0.1", Optional.of("10.0.0.1")));
        assertThat(launchers(job).orElseThrow().all().get(1).host()).isEmpty();
        assertThat(launchers(job.hosts("first", "second"))
                        .orElseThrow()
                        .leading()
                        .host())
                .contains(Host.of("first", Optional.of("10.0.0.1")));
    }

    @Test
    void oneNodeAndElasticJobsHaveNone() throws PlanException {
        assertThat(launchers(new TestJob())).isEmpty();
        assertThat(launchers(new TestJob().elastic())).isEmpty();
    }

    @Test
    void cardsMustBeEqualWhereRanksCountThem() {
        TestJob job = new TestJob().node(1, 2).hosts("first", "second").cards(2);

        LaunchPlan plan = job.processes("per-card").plan();
        assertThat(plan.equal())
                .containsExactly(
                        entry("cards", "2"),
                        entry("master-port", TestJob.variable(plan, 0, "MASTER_PORT")),
                        entry("processes", "per-card"));
        assertThat(job.processes("per-node").plan().equal()).containsKey("cards");
        assertThat(new TestJob().cards(2).plan().equal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"per-node", "per-card", "torchrun"})
    void whereAndHowProcessesMeetMustBeEqual(String mode) throws PlanException {
        TestJob job = new TestJob()
                .node(1, 2)
                .hosts("first", "second")
                .processes(mode)
                .option("master-port", "7001")
                .option("master-addr", "first.lan")
                .input("torchrun", new InputValue.Program("/bin/torchrun"));

        assertThat(job.plan().equal())
                .contains(entry("master-addr", "first.lan"), entry("master-port", "7001"), entry("processes", mode));
    }

    private static Optional<LauncherNodes> launchers(TestJob job) throws PlanException {
        return new PyTorchEngine().link(job.spec(), job.node());
    }
}
