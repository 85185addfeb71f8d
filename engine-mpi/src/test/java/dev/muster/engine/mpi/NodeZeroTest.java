package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeZeroTest {

    private final LaunchPlan plan = TestJob.onModelArts(0, 3).cards(2).plan();

    @Test
    void servesStartsMpirunAndTellsTheOthers() {
        assertThat(Plans.ids(plan)).containsExactly("ssh-keys", "sshd", "mpirun", "stop", "release");
        assertThat(phase("ssh-keys")).isEqualTo(ProcessSpec.Phase.BEFORE_TASKS);
        assertThat(phase("stop")).isEqualTo(ProcessSpec.Phase.ON_STOP);
        assertThat(phase("release")).isEqualTo(ProcessSpec.Phase.AFTER_OUTCOME);
        assertThat(((ProcessSpec.Step) Plans.process(plan, "ssh-keys")).required())
                .isTrue();
        assertThat(((ProcessSpec.Step) Plans.process(plan, "release")).required())
                .isFalse();
    }

    @Test
    void mpirunStartsWhenEveryHostLetsItIn() {
        Condition.AllOf all = (Condition.AllOf) Plans.process(plan, "mpirun").startWhen();

        assertThat(all.parts().get(0)).isEqualTo(new Condition.PortOpen("vj-worker-0.vj", 36666));
        assertThat(all.parts().subList(1, 3))
                .allSatisfy(part -> assertThat(part).isInstanceOfSatisfying(Condition.CommandEnds.class, login -> {
                    assertThat(login.exitCode()).isZero();
                    assertThat(login.command().stream().map(Plans::text).toList())
                            .startsWith("/bin/sh", "<login>", "<private>", "<ssh_config>", "36666")
                            .contains(login.host());
                }));
    }

    /** The options of the contract in its order, and the names of all that node 0 has. */
    @Test
    void mpirunGetsTheOptionsOfTheContract() {
        LaunchPlan withEnvironment = TestJob.onModelArts(0, 2)
                .variable("LD_LIBRARY_PATH", "/l")
                .variable("S3_SECRET_KEY", "k=")
                .plan();

        assertThat(Plans.mpirun(withEnvironment))
                .containsExactly(
                        ("mpirun|-np|2|-hostfile|<hostfile>|-mca|plm_rsh_args|-p 36666 -F <ssh_config>|-bind-to|none"
                                        + "|-map-by|slot|-x|NCCL_DEBUG=INFO|-x|NCCL_SOCKET_IFNAME=eth0,bond0|-x"
                                        + "|NCCL_SOCKET_FAMILY=AF_INET|-x|HOROVOD_MPI_THREADS_DISABLE=1|-x"
                                        + "|LD_LIBRARY_PATH|-x|MA_NUM_HOSTS|-x|MA_TASK_NAME|-x|MA_VJ_NAME|-x"
                                        + "|S3_SECRET_KEY|-mca|pml|ob1|-mca|btl|^openib|-mca|plm_rsh_no_tree_spawn"
                                        + "|true|python3|a b.py")
                                .split("\\|", -1));
    }

    @Test
    void ranksGetTheSignalFirstAndMpirunStaysUntilAllAreGone() {
        StopMethod stop = Plans.process(plan, "mpirun").stop();

        assertThat(stop.signal()).isEqualTo("TERM");
        assertThat(stop.grace()).isEmpty();
        assertThat(stop.first()).hasValueSatisfying(first -> {
            assertThat(first.variables()).contains("OMPI_COMM_WORLD_RANK", "PMI_RANK");
            assertThat(first.afterwards()).isEqualTo(Condition.NEVER);
        });
    }

    @Test
    void theJobEndsWithTheRanksOrWithWhatAnotherNodeSays() {
        List<Outcome.Case> cases = Plans.cases(plan);

        assertThat(cases.get(0).when()).isEqualTo(Ranks.END);
        assertThat(cases.get(0).exitCode()).isZero();
        assertThat(cases.get(1).when()).isEqualTo(new Condition.PrivateFileReady("stop"));
        assertThat(cases.get(1).codeFile()).contains("stop");
    }

    @Test
    void aHostThatIsNotThereInTimeIsNamedByWhatIsMissing() {
        Outcome.Case late = Plans.cases(plan).get(4);

        assertThat(late.when()).isInstanceOfSatisfying(Condition.Before.class, before -> {
            assertThat(before.first()).isEqualTo(new Condition.Elapsed(Duration.ofMinutes(30)));
            assertThat(late.missing()).contains(before.other());
        });
        assertThat(late.exitCode()).isEqualTo(75);
        assertThat(late.reason()).contains("--input-timeout");
    }

    @Test
    void aHostWithAnotherKeyEndsTheWait() {
        Outcome.Case wrong = Plans.cases(plan).get(2);

        assertThat(wrong.when())
                .isInstanceOfSatisfying(
                        Condition.CommandEnds.class,
                        login -> assertThat(login.exitCode()).isEqualTo(Ssh.WRONG_HOST_KEY));
        assertThat(wrong.exitCode()).isEqualTo(75);
        assertThat(wrong.reason()).contains("node 1 (vj-worker-1.vj)", "36666", "~/.ssh");
    }

    @Test
    void aHostThatIsGoneForLongIsLost() {
        Outcome.Case lost = Plans.cases(plan).get(5);
        Duration minute = Duration.ofSeconds(60);

        assertThat(lost.when())
                .isEqualTo(new Condition.Before(
                        new Condition.PortClosed("vj-worker-1.vj", 36666, minute, Optional.of(minute)), Ranks.END));
        assertThat(lost.exitCode()).isEqualTo(75);
        assertThat(lost.reason()).contains("node 1 (vj-worker-1.vj)", "1m", "lost-after");
    }

    @Test
    void tellsTheOthersAndNotItself() {
        assertThat(Plans.command(plan, "release"))
                .containsSubsequence("<tell>", "<ssh_config>", "36666", "release", "<code>")
                .endsWith("vj-worker-1.vj", "vj-worker-2.vj")
                .doesNotContain("vj-worker-0.vj");
    }

    @Test
    void tellsThePortItNeedsAndHowToChooseAnother() {
        assertThat(plan.ports()).singleElement().satisfies(port -> {
            assertThat(port.port()).isEqualTo(36666);
            assertThat(port.fix()).contains("MY_SSHD_PORT", "sshd-port");
        });
    }

    private ProcessSpec.Phase phase(String id) {
        return ((ProcessSpec.Step) Plans.process(plan, id)).phase();
    }
}
