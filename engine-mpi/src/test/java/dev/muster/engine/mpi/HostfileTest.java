package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostfileTest {

    private static final String OPERATORS = """
            job-worker-0.job.ns.svc slots=2

            # more
            job-worker-1.job.ns.svc slots=3 max_slots=4
            """;

    @Test
    void ofTheMpiOperatorIsUsedAsItIs() {
        LaunchPlan plan = new TestJob()
                .variable("K_MPI_JOB_ROLE", "launcher")
                .variable("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile")
                .file("/etc/mpi/hostfile", OPERATORS)
                .plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun", "stop");
        assertThat(plan.ports()).isEmpty();
        assertThat(Plans.after(plan, "-hostfile")).containsExactly("/etc/mpi/hostfile");
        assertThat(Plans.after(plan, "-np")).containsExactly("5");
        assertThat(Plans.mpirun(plan)).doesNotContain("plm_rsh_args");
        assertThat(open(plan))
                .containsExactly(
                        new Condition.PortOpen("job-worker-0.job.ns.svc", 22),
                        new Condition.PortOpen("job-worker-1.job.ns.svc", 22));
    }

    /** Where no launcher runs, the ranks are known by the marker of this run. */
    @Test
    void hostsWithoutALauncherKnowTheirRanksByTheMarker() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "a\nb\n")
                .plan();

        assertThat(Plans.after(plan, "-x")).contains("MUSTER_JOB");
        assertThat(Plans.command(plan, "stop")).contains("<signal>").endsWith("a", "b");
    }

    @Test
    void ofApulisIsReachedThroughTheUsersAliases() {
        LaunchPlan plan = new TestJob()
                .variable("DLWS_JOB_ID", "j")
                .variable("DLWS_USER_NAME", "u")
                .variable("DLWS_SD_worker0_SSH_PORT", "40001")
                .option("launcher", "horovodrun")
                .option("interface", "ib0")
                .file("/home/u/ib_config", "ib-worker-0 slots=8\nib-worker-1 slots=8\n")
                .file(
                        "/home/user/.ssh/config",
                        "Host ib-worker-0\n  HostName 10.0.0.1\nHost ib-worker-1\n  HostName 10.0.0.2\n")
                .plan();

        assertThat(Plans.mpirun(plan))
                .containsExactly(
                        "horovodrun",
                        "-np",
                        "16",
                        "-hostfile",
                        "/home/u/ib_config",
                        "-p",
                        "40001",
                        "--network-interface",
                        "ib0",
                        "python3",
                        "a b.py");
        assertThat(open(plan))
                .containsExactly(new Condition.PortOpen("10.0.0.1", 40001), new Condition.PortOpen("10.0.0.2", 40001));
    }

    @Test
    void aliasesMayHaveAPortEach() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "a:2\nb:2\n")
                .file("/home/user/.ssh/config", "Host a\nPort 41000\nHost b\nPort=42000\nHost *\nPort 1\n")
                .plan();

        assertThat(open(plan)).containsExactly(new Condition.PortOpen("a", 41000), new Condition.PortOpen("b", 42000));
        assertThat(Plans.after(plan, "-np")).containsExactly("4");
    }

    @Test
    void namesTheHostsOfLaunchersToo() {
        TestJob job = new TestJob().option("hostfile", "/h").file("/h", "a slots=2\nb slots=2\n");

        LaunchPlan plan = job.index(0).nodes(2).plan();

        assertThat(Plans.ids(plan)).contains("sshd", "release");
        assertThat(Plans.after(plan, "-hostfile")).containsExactly("/h");
        assertThat(Plans.command(plan, "release")).endsWith("b");
        job.withoutIndex().assertRefused(Kind.CONFIGURATION, "2 hosts of /h", "--node-index");
        job.index(2).assertRefused(Kind.CONFIGURATION, "index 2", "0..1");
    }

    @Test
    void thatIsWrongIsRefusedWithItsLine() {
        TestJob job = new TestJob().option("sshd", "none").option("hostfile", "/h");

        job.assertRefused(Kind.USAGE, "--hostfile=\"/h\"", "no such file");
        job.file("/h", "a\nb slots=many\n").assertRefused(Kind.DATA, "/h, line 2=\"many\"");
        job.file("/h", "# nothing\n").assertRefused(Kind.DATA, "/h", "names no host");
    }

    private static List<Condition.PortOpen> open(LaunchPlan plan) {
        return ((Condition.AllOf) Plans.process(plan, "mpirun").startWhen())
                .parts().stream()
                        .map(part -> ((Condition.CommandEnds) part).after())
                        .toList();
    }
}
