package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;

class RefusalsTest {

    @Test
    void ofPortsAndInterfacesThatAreNone() {
        TestJob.onModelArts(0, 2)
                .variable("MY_SSHD_PORT", "99999")
                .assertRefused(Kind.CONFIGURATION, "MY_SSHD_PORT=\"99999\"", "1..65535");
        TestJob.onModelArts(0, 2).option("sshd-port", "70000").assertRefused(Kind.USAGE, "--sshd-port=\"70000\"");
        new TestJob()
                .variable("MY_MPI_BTL_TCP_IF", "eth0; rm")
                .assertRefused(Kind.CONFIGURATION, "MY_MPI_BTL_TCP_IF=\"eth0; rm\"", "eth0,bond0");
    }

    /** mpirun takes {@code :} for the start of a second command. */
    @Test
    void ofAnArgumentThatMpirunTakesForItself() {
        new TestJob().command("a", ":", "b").assertRefused(Kind.USAGE, "\":\"", "script");
    }

    @Test
    void ofHorovodrunThatIsNotThere() {
        new TestJob()
                .option("launcher", "horovodrun")
                .without("horovodrun")
                .assertRefused(Kind.UNAVAILABLE, "no horovodrun on PATH");
    }

    @Test
    void ofHostsThatServeThemselvesWithoutAHostfile() {
        new TestJob().option("sshd", "none").assertRefused(Kind.USAGE, "--sshd", "no hostfile", "hostfile=FILE");
    }

    @Test
    void ofAnImageWithoutAConfiguration() {
        TestJob.onModelArts(0, 2)
                .option("sshd", "image")
                .assertRefused(Kind.UNAVAILABLE, "/home/user/etc/ssh/sshd_config", "sshd=own");
    }

    @Test
    void messagesShowOnlyWhatATerminalCanShow() {
        assertThat(Messages.quote("a\n\"b\"\\\u001b[1m")).isEqualTo("\"a?\"b\"\\?[1m\"");
        assertThat(Messages.quote("x".repeat(500))).hasSize(85).endsWith("x...\"");
    }
}
