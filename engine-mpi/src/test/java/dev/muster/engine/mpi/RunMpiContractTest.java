package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Defects of ModelArts' {@code run_mpi.sh} that a plan avoids, in the order in which they appear in a run. The comment of each
 * test says what the script did instead. Tests with real hosts check what only a run shows.
 */
class RunMpiContractTest {

    private final LaunchPlan first = TestJob.onModelArts(0, 3)
            .cards(2)
            .variable("VC_TASK_INDEX", "0")
            .variable("S3_KEY", "abc==")
            .variable("LINES", "a\n-x PATH=/evil")
            .variable("NOT_SHARED_AT_ALL", "SHARED_")
            .variable("PYTHONPATH", "/p")
            .variable("EMPTY", "")
            .plan();
    private final LaunchPlan other = TestJob.onModelArts(1, 3).plan();

    /** The script appended lines to the hostfile of the last run, and mpirun refused the duplicates. */
    @Test
    void theHostfileIsWrittenAnewInADirectoryOfThisRun() {
        assertThat(Plans.after(first, "-hostfile")).containsExactly("<private>/hostfile");
        assertThat(Plans.hosts(first)).hasSize(3);
    }

    /** The other nodes always ended with 0, and slept 365 days when node 0 was killed. */
    @Test
    void theOthersEndAsNodeZeroDoes() {
        assertThat(Plans.ids(other)).doesNotContain("mpirun");
        assertThat(other.outcome()).isEqualTo(Outcome.FOLLOWS_LEADER);
    }

    /** Both waits of the script had no time limit. */
    @Test
    void theWaitForHostsHasAnEndOnEveryNode() {
        for (LaunchPlan plan : List.of(first, other)) {
            assertThat(plan.launchers().orElseThrow().required()).isTrue();
        }
    }

    /** Values with line breaks, blanks or a final = were cut, lost, or taken for other variables. */
    @Test
    void valuesAreInNoFileAndNoArgument() {
        assertThat(Plans.after(first, "-x")).contains("S3_KEY", "LINES", "EMPTY", "NOT_SHARED_AT_ALL");
        assertThat(Plans.mpirun(first)).doesNotContain("-tune").noneMatch(word -> word.contains("evil"));
    }

    /** The script wrote credentials to a readable file on each host, and left it there. */
    @Test
    void secretsAreNowhereInThePlan() {
        assertThat(first.toString()).doesNotContain("abc==");
    }

    /** Only variables of task 0 with some prefixes reached the ranks of other nodes. */
    @Test
    void allVariablesReachTheRanks() {
        assertThat(Plans.after(first, "-x")).contains("PYTHONPATH");
    }

    /** The script wrote the port into the image's configuration, so a second start with another port changed nothing. */
    @Test
    void theImagesConfigurationIsFilledInInACopy() {
        LaunchPlan plan = TestJob.onModelArts(1, 2)
                .option("sshd", "image")
                .option("sshd-port", "40000")
                .file("/home/user/etc/ssh/sshd_config", "Port {{MY_SSHD_PORT}}\n")
                .plan();

        assertThat(Plans.file(plan, "sshd_config")).isEqualTo("LogLevel FATAL\nMaxStartups 4096\nPort 40000\n");
        assertThat(Plans.command(plan, "sshd")).containsSubsequence("-f", "<sshd_config>", "-p", "40000");
        assertThat(Plans.files(plan)).doesNotContain("ssh_config");
    }

    /** The script did not check that sshd had started, and did not stop it. */
    @Test
    void sshdIsAServiceOfTheJobWithAPortOfItsOwn() {
        assertThat(Plans.process(first, "sshd")).isInstanceOf(ProcessSpec.Service.class);
        assertThat(Plans.command(first, "sshd")).startsWith("/usr/bin/sshd", "-D");
        assertThat(first.ports()).extracting(port -> port.port()).containsExactly(36666);
    }

    /** On a flavour without accelerators, mpirun got no slots and no ranks. */
    @Test
    void aFlavourWithoutAcceleratorsRunsOneRankPerNode() {
        LaunchPlan plan = TestJob.onModelArts(0, 2).cards(0).plan();

        assertThat(Plans.after(plan, "-np")).containsExactly("2");
        assertThat(Plans.hosts(plan)).allMatch(host -> host.contains(" 1 "));
    }

    /** MPI chose from all interfaces of a host, or crashed if a given interface did not exist. */
    @Test
    void interfacesForMpiAreChosenWhenTheHostsHaveAnswered() {
        assertThat(Plans.after(first, "-x")).contains("NCCL_SOCKET_IFNAME=eth0,bond0");
        assertThat(Plans.mpirun(first)).noneMatch(word -> word.contains("if_include"));
        assertThat(Plans.command(first, "mpirun"))
                .containsSubsequence("<start>", "openmpi", "eth0,bond0", "<hosts>", "openmpi");
    }

    /** On SIGTERM the script waited for mpirun to end, or left mpirun and the ranks behind. */
    @Test
    void aStopReachesTheRanksOfEveryNodeFirst() {
        assertThat(Plans.process(first, "mpirun").hosted()).isPresent();
        assertThat(Plans.process(other, "sshd").hosted()).isPresent();
    }

    /** mpirun refuses to run as root. */
    @Test
    void rootIsAllowed() {
        assertThat(Plans.mpirun(TestJob.onModelArts(0, 2).machine("box", 0).plan()))
                .contains("--allow-run-as-root");
    }

    /** Only the image's configuration decided whether host keys were checked. */
    @Test
    void hostKeysAreCheckedAgainstTheJobsOwn() {
        assertThat(Plans.file(first, "ssh_config"))
                .contains("StrictHostKeyChecking yes\n", "UserKnownHostsFile \"<private>/known_hosts\"\n");
        assertThat(Plans.file(first, "sshd_config"))
                .contains("HostKey \"<private>/key\"\n", "AuthenticationMethods publickey\n");
    }

    /** Each rank got the index, address and name of task 0. */
    @Test
    void whatBelongsToANodeStaysThere() {
        LaunchPlan plan = TestJob.onModelArts(0, 2)
                .variable("HOSTNAME", "h")
                .variable("MA_CURRENT_HOST_IP", "1.2.3.4")
                .variable("NVIDIA_VISIBLE_DEVICES", "0")
                .plan();

        String[] local = {"HOSTNAME", "MA_CURRENT_HOST_IP", "NVIDIA_VISIBLE_DEVICES"};
        assertThat(Plans.after(plan, "-x")).doesNotContain(local);
        assertThat(Plans.command(plan, "ssh-keys")).contains(local).contains("MUSTER_JOB");
    }

    /** On a node that was cut off, mpirun's daemon and its ranks never ended. */
    @Test
    void whatMpirunStartsCarriesTheMarkerOfItsNode() {
        assertThat(Plans.command(other, "sshd")).contains("ForceCommand=exec /bin/sh '<agent>' '<private>'");
        assertThat(Plans.file(other, "agent")).contains(". \"$1/variables\"");
        assertThat(Plans.process(other, "sshd").launch().command()).contains(Value.pathOf("sshd_config"));
    }
}
