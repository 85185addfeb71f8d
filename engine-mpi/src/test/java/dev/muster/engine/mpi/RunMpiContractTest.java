package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The defects of ModelArts' {@code run_mpi.sh} that a plan decides about, in the order in which they show when it runs. Each
 * test says what the script did instead. What only a run shows is tested with real hosts.
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

    /** Lines were appended to the hostfile of the last run, and mpirun refused the duplicates. */
    @Test
    void theHostfileIsWrittenAnewInADirectoryOfThisRun() {
        assertThat(Plans.after(first, "-hostfile")).containsExactly("<private>/hostfile");
        assertThat(Plans.hosts(first)).hasSize(3);
    }

    /** 5, 6: the other nodes ended with 0 whatever happened, and slept 365 days when node 0 was killed. */
    @Test
    void theOthersEndAsNodeZeroDoes() {
        assertThat(Plans.ids(other)).doesNotContain("mpirun");
        assertThat(other.outcome()).isEqualTo(Outcome.FOLLOWS_LEADER);
    }

    /** Both waits had no end. */
    @Test
    void theWaitForHostsHasAnEndOnEveryNode() {
        for (LaunchPlan plan : List.of(first, other)) {
            assertThat(plan.launchers().orElseThrow().required()).isTrue();
        }
    }

    /** 10, 11, 12, 13: values with lines, with = at their end or with blanks were cut, lost or taken for other variables. */
    @Test
    void valuesAreInNoFileAndNoArgument() {
        assertThat(Plans.after(first, "-x")).contains("S3_KEY", "LINES", "EMPTY", "NOT_SHARED_AT_ALL");
        assertThat(Plans.mpirun(first)).doesNotContain("-tune").noneMatch(word -> word.contains("evil"));
    }

    /** Credentials lay in a readable file on every host, and stayed there. */
    @Test
    void secretsAreNowhereInThePlan() {
        assertThat(first.toString()).doesNotContain("abc==");
    }

    /** Of task 0's variables only some prefixes reached the ranks of other nodes. */
    @Test
    void allVariablesReachTheRanks() {
        assertThat(Plans.after(first, "-x")).contains("PYTHONPATH");
    }

    /** The port was written into the image's configuration, so that a second start with another one changed nothing. */
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

    /** Nobody looked whether sshd had started, and nobody stopped it. */
    @Test
    void sshdIsAServiceOfTheJobWithAPortOfItsOwn() {
        assertThat(Plans.process(first, "sshd")).isInstanceOf(ProcessSpec.Service.class);
        assertThat(Plans.command(first, "sshd")).startsWith("/usr/bin/sshd", "-D");
        assertThat(first.ports()).extracting(port -> port.port()).containsExactly(36666);
    }

    /** A flavour without accelerators gave mpirun no slots and no ranks. */
    @Test
    void aFlavourWithoutAcceleratorsRunsOneRankPerNode() {
        LaunchPlan plan = TestJob.onModelArts(0, 2).cards(0).plan();

        assertThat(Plans.after(plan, "-np")).containsExactly("2");
        assertThat(Plans.hosts(plan)).allMatch(host -> host.contains(" 1 "));
    }

    /** MPI chose among all interfaces of a host, or crashed at the name of one that it does not have. */
    @Test
    void interfacesForMpiAreChosenWhenTheHostsHaveAnswered() {
        assertThat(Plans.after(first, "-x")).contains("NCCL_SOCKET_IFNAME=eth0,bond0");
        assertThat(Plans.mpirun(first)).noneMatch(word -> word.contains("if_include"));
        assertThat(Plans.command(first, "mpirun"))
                .containsSubsequence("<start>", "openmpi", "eth0,bond0", "<hosts>", "openmpi");
    }

    /** SIGTERM waited for mpirun's end, or left mpirun and the ranks behind. */
    @Test
    void aStopReachesTheRanksOfEveryNodeFirst() {
        assertThat(Plans.process(first, "mpirun").hosted()).isPresent();
        assertThat(Plans.process(other, "sshd").hosted()).isPresent();
    }

    /** Mpirun refuses root. */
    @Test
    void rootIsAllowed() {
        assertThat(Plans.mpirun(TestJob.onModelArts(0, 2).machine("box", 0).plan()))
                .contains("--allow-run-as-root");
    }

    /** Whether a host was the right one was left to the image's configuration. */
    @Test
    void hostKeysAreCheckedAgainstTheJobsOwn() {
        assertThat(Plans.file(first, "ssh_config"))
                .contains("StrictHostKeyChecking yes\n", "UserKnownHostsFile \"<private>/known_hosts\"\n");
        assertThat(Plans.file(first, "sshd_config"))
                .contains("HostKey \"<private>/key\"\n", "AuthenticationMethods publickey\n");
    }

    /** Every rank got task 0's index, address and name. */
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

    /** A node that was cut off kept mpirun's daemon and its ranks for ever. */
    @Test
    void whatMpirunStartsCarriesTheMarkerOfItsNode() {
        assertThat(Plans.command(other, "sshd")).contains("ForceCommand=exec /bin/sh '<agent>' '<private>'");
        assertThat(Plans.file(other, "agent")).contains(". \"$1/variables\"");
        assertThat(Plans.process(other, "sshd").launch().command()).contains(Value.pathOf("sshd_config"));
    }
}
