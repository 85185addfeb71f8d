package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostfileTest {

    private static final String OPERATORS = """
            job-worker-0.job.ns.svc slots=2

            # more
            job-worker-1.job.ns.svc slots=3 max_slots=4
            """;

    @Test
    void ofTheMpiOperatorNamesHostsThatServeThemselves() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none", "K_MPI_JOB_ROLE")
                .variable("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile")
                .file("/etc/mpi/hostfile", OPERATORS)
                .plan();

        assertThat(Plans.ids(plan)).containsExactly("hosts", "mpirun", "stop");
        assertThat(plan.ports()).isEmpty();
        assertThat(Plans.file(plan, "hostfile"))
                .isEqualTo("job-worker-0.job.ns.svc slots=2\njob-worker-1.job.ns.svc slots=3\n");
        assertThat(Plans.after(plan, "-np")).containsExactly("5");
        assertThat(Plans.mpirun(plan)).doesNotContain("plm_rsh_args");
        assertThat(asked(plan)).containsExactly("ssh", "-", "job-worker-0.job.ns.svc", "job-worker-1.job.ns.svc");
    }

    /** On a host without a launcher, the ranks are found by the marker of this run. */
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

    /** mpirun starts ranks on its own host without ssh. Often no sshd runs there. */
    @ParameterizedTest
    @ValueSource(strings = {"box", "BOX.job.ns.svc", "u@box.cluster", "box.", "localhost", "10.1.1.1", "127.0.0.1"})
    void theOwnHostIsNotAsked(String own) {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "a slots=1\n" + own + " slots=2\nboxer slots=1\n10.1.1.11 slots=1\n")
                .plan();

        assertThat(asked(plan)).containsExactly("ssh", "-", "a", "-", "boxer", "10.1.1.11");
        assertThat(Plans.command(plan, "stop")).endsWith("a", "boxer", "10.1.1.11");
        assertThat(Plans.file(plan, "hosts")).contains("\n- " + own.replace("u@", "") + " 2 ");
        assertThat(Plans.notes(plan)).anyMatch(note -> note.contains("is this one, which needs no ssh"));
    }

    @Test
    void theOwnHostMayBeTheOnlyOne() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "box slots=2\n")
                .plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
    }

    @Test
    void ofApulisIsReachedThroughTheUsersAliases() {
        TestJob job = new TestJob()
                .option("sshd", "none", "DLWS_JOB_ID")
                .option("hostfile", "/home/u/ib_config", "DLWS_USER_NAME")
                .variable("MY_MPI_BTL_TCP_IF", "ib0")
                .file("/home/u/ib_config", "ib-worker-0 slots=8\nib-worker-1 slots=8\n");

        // In the example of Apulis all hosts have one port. With mpirun each host keeps its own.
        assertThat(asked(job.plan())).containsExactly("ssh", "-", "ib-worker-0", "ib-worker-1");
        LaunchPlan plan = job.option("launcher", "horovodrun")
                .option("sshd-port", "40001", "DLWS_SD_worker0_SSH_PORT")
                .plan();

        assertThat(Plans.mpirun(plan))
                .containsExactly(
                        "horovodrun",
                        "-np",
                        "16",
                        "-hostfile",
                        "<hostfile>",
                        "-p",
                        "40001",
                        "--network-interface",
                        "ib0",
                        "python3",
                        "a b.py");
        assertThat(asked(plan)).containsExactly("ssh", "40001", "ib-worker-0", "ib-worker-1");
    }

    /** The user's hostfile may have the other form, or no slots. */
    @Test
    void isCopiedInTheFormThatMpirunUnderstands() {
        TestJob job = new TestJob().option("sshd", "none").option("hostfile", "/h");

        LaunchPlan plan =
                job.file("/h", "a:2 # fast\n\nu@b\n").option("slots", "3").plan();
        assertThat(Plans.after(plan, "-hostfile")).containsExactly("<hostfile>");
        assertThat(Plans.file(plan, "hostfile")).isEqualTo("a slots=2\nu@b slots=3\n");
        assertThat(Plans.after(plan, "-np")).containsExactly("5");

        plan = job.mpi("HYDRA build details:").file("/h", "a:2\nb:2\na:1\n").plan();
        assertThat(Plans.file(plan, "hostfile")).isEqualTo("a:3\nb:2\n");
        assertThat(Plans.mpirun(plan)).doesNotContain("-ppn");

        plan = job.file("/h", "a:2\nb:2\n").plan();
        assertThat(Plans.after(plan, "-f")).containsExactly("<hostfile>");
        assertThat(Plans.after(plan, "-ppn")).containsExactly("2");
    }

    @Test
    void theWayToItsHostsIsThatOfMpirun() {
        TestJob job = new TestJob()
                .option("sshd", "none", "K_MPI_JOB_ROLE")
                .variable("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile")
                .variable("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10")
                .file("/etc/mpi/hostfile", OPERATORS);

        assertThat(Plans.mpirun(job.plan())).doesNotContain("plm_rsh_args").contains("plm_rsh_no_tree_spawn");
        assertThat(Plans.after(job.option("sshd-port", "2222").plan(), "plm_rsh_args"))
                .containsExactly("-p 2222 -o ConnectionAttempts=10");
    }

    @Test
    void withoutItALauncherOfThePlatformIsNoJobOfItsOwn() {
        TestJob operators = new TestJob()
                .option("sshd", "none", "K_MPI_JOB_ROLE")
                .variable("OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile");
        operators.assertRefused(
                Kind.CONFIGURATION, "/etc/mpi/hostfile (OMPI_MCA_orte_default_hostfile)", "hostfile=FILE");
        assertThat(Plans.ids(operators.option("sshd", "own").plan())).containsExactly("mpirun");

        TestJob apulis = new TestJob()
                .option("sshd", "none", "DLWS_JOB_ID")
                .option("hostfile", "/home/u/ib_config", "DLWS_USER_NAME");
        apulis.assertRefused(Kind.CONFIGURATION, "DLWS_USER_NAME=\"/home/u/ib_config\"", "no such file");
    }

    @Test
    void thatNamesOneHostOnWhichALauncherRunsNeedsNoSsh() {
        LaunchPlan plan =
                new TestJob().option("hostfile", "/h").file("/h", "a slots=4\n").plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
        assertThat(Plans.file(plan, "hostfile")).isEqualTo("localhost slots=4\n");
        assertThat(Plans.after(plan, "-np")).containsExactly("4");
    }

    @Test
    void namesTheHostsOfLaunchersToo() {
        TestJob job = new TestJob().option("hostfile", "/h").file("/h", "a slots=2\nb slots=2\n");

        LaunchPlan plan = job.index(0).nodes(2).plan();

        assertThat(Plans.ids(plan)).contains("sshd");
        assertThat(Plans.hosts(plan)).containsExactly("- a 2 a", "b b 2 b");
        assertThat(plan.launchers().orElseThrow().all())
                .extracting(peer -> peer.host().orElseThrow())
                .containsExactly(Host.of("a", Optional.empty()), Host.of("b", Optional.empty()));
        job.withoutIndex().assertRefused(Kind.CONFIGURATION, "which of the 2 hosts", "--node-index");
        job.index(0).nodes(3).assertRefused(Kind.CONFIGURATION, "3 nodes", "/h", "2 hosts");
        job.nodes(2);
        job.index(2).assertRefused(Kind.CONFIGURATION, "node 2 of 2 nodes", "/h");
    }

    @Test
    void thatIsWrongIsRefusedWithItsLine() {
        TestJob job = new TestJob().option("sshd", "none").option("hostfile", "/h");

        job.assertRefused(Kind.USAGE, "--hostfile=\"/h\"", "no such file");
        job.file("/h", "a\nb slots=many\n").assertRefused(Kind.DATA, "/h, line 2: \"slots=many\" is not understood");
        job.file("/h", "# nothing\n").assertRefused(Kind.DATA, "/h", "names no host");
        job.file("/h", "a slots=0\n").assertRefused(Kind.DATA, "/h", "no slot");
        job.file("/h", "a\n-oProxyCommand=x\n").assertRefused(Kind.DATA, "/h, line 2", "-oProxyCommand=x");
    }

    /** The ssh command, the port, and the hosts that the launcher tries to log in to. A dash is a host without login. */
    private static List<String> asked(LaunchPlan plan) {
        List<String> words = Plans.command(plan, "hosts");
        assertThat(words.subList(0, 3)).containsExactly("/bin/sh", "<await>", "<private>");
        List<String> asked = new ArrayList<>(List.of(words.get(3), words.get(5)));
        Plans.hosts(plan).forEach(host -> asked.add(host.split(" ", 2)[0]));
        return asked;
    }
}
