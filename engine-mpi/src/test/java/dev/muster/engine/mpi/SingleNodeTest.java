package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import org.junit.jupiter.api.Test;

class SingleNodeTest {

    @Test
    void isJustMpirun() {
        LaunchPlan plan =
                new TestJob().option("slots", "4").variable("USER", "u").plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
        assertThat(plan.ports()).isEmpty();
        assertThat(Plans.file(plan, "hostfile")).isEqualTo("localhost slots=4\n");
        assertThat(Plans.mpirun(plan))
                .containsExactly(("mpirun|-np|4|-hostfile|<hostfile>|-bind-to|none|-map-by|slot|-x|NCCL_DEBUG=INFO|-x"
                                + "|NCCL_SOCKET_IFNAME=eth0,bond0|-x|NCCL_SOCKET_FAMILY=AF_INET|-x"
                                + "|HOROVOD_MPI_THREADS_DISABLE=1|-mca|pml|ob1|-mca|btl|^openib|python3|a b.py")
                        .split("\\|", -1));
    }

    @Test
    void needsNeitherSshdNorKeyNorAccount() {
        LaunchPlan plan = new TestJob().without("sshd").keys().withoutAccount().plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
    }

    @Test
    void mpirunIsStoppedAsSoonAsItsRanksAreGone() {
        assertThat(Plans.process(new TestJob().plan(), "mpirun").hosted())
                .hasValueSatisfying(ranks -> assertThat(ranks.until()).isEqualTo(Condition.IMMEDIATELY));
    }
}
