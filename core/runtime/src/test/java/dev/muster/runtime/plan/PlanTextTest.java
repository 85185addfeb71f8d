package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTextTest {

    private static final Secrets SECRETS = new Secrets(List.of());

    @Test
    void showsEverything() {
        assertThat(PlanText.render(
                        report(new NodePlan(Plans.job(), Plans.node(), Plans.rich(), Optional.empty())), SECRETS))
                .isEqualTo("""
                        Plan of node 1 of 2
                        ===================
                        Engine:    ascend
                        Platform:  modelarts (MA_VJ_NAME is set)
                        Job:       job-7
                        Name:      pod-1 (MA_CURRENT_INSTANCE_NAME)
                        Address:   192.168.0.26 (MA_CURRENT_HOST_IP)
                        Command:   python3 train.py --api-key ****** --text $'it\\'s \\n'
                        Work:      /jobs (a directory in it for each task)
                        Logs:      /logs
                        Tables:    /tables
                        Grace:     15s (between TERM and KILL)

                        Notes
                          2 cards are used
                          warning: the table is old

                        Directories to make (2)
                          /jobs/device0      working directory of rank 2
                          /logs/process_log  process log of rank 2        (optional)

                        Files to write (2)
                          /tables/table.json                      3 bytes  sha256 %s
                          <private temporary directory>/hostfile  3 bytes  sha256 %s

                        Processes (3)
                          rank-2: task, rank 2 of 4, local rank 0
                            Command:     python3 --token=****** '<private temporary directory>/hostfile'
                            Directory:   /jobs/device0
                            Log:         job-7-rank-2.txt
                            Starts:      at once
                            Stopped by:  TERM, then KILL after 15s
                            Sets:        GREETING='good day'
                                         HF_TOKEN=******
                                         RANK_ID=2
                                         RANK_TABLE_FILE=/tables/table.json
                            Removes:     OLD OTHER

                          sshd: service
                            Command:     true
                            Directory:   /jobs
                            Log:         sshd.txt
                            Starts:      at once
                            Ready:       when port 2222 of 127.0.0.1 accepts connections
                            Stopped by:  TERM, then KILL after 15s

                          release: step after the outcome, at most 10s, its failure fails the job
                            Command:     true
                            Directory:   /jobs
                            Log:         release.txt
                            Starts:      when port 22 of host-0 accepts connections
                            Stopped by:  TERM, then KILL after 15s

                        Outcome
                          The first of these ends the job:
                            exit code 0 when rank-2 has ended: the rank is done
                            exit code 75 when rank-0 of node 0 has ended: task 0 was lost
                          The first task or service that fails ends the job with its exit code.
                        """.formatted(
                                "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
                                "ac6f010e65c9ea739dbdaa21427edd5ef60c6d461ef4d619c003e3ab62453a56"));
    }

    @Test
    void showsNameAndPortsAndWhatIsKnownLater() {
        String text = PlanText.render(
                report(new NodePlan(Plans.job(), Plans.node(), Plans.lively(), Optional.empty())), SECRETS);

        assertThat(text).startsWith("Plan of ps-0 (node 1 of 2)\n").contains("""

                        Ports that must be free (2)
                          port 6666 for the rendezvous (--master-port)
                          port 7000 for ps 0 (TF_PS_HOSTS)

                        Processes (1)
                          ps-0: service, may also end by itself with 0
                            Command:     train '--url=tcp://h:<free port>' --token=******
                            Directory:   /jobs
                            Log:         ps-0.txt
                            Starts:      at once
                            Stopped by:  TERM, then KILL after 15s
                            Sets:        API_KEY=******
                                         HOSTS='@<private temporary directory>/hostfile'
                                         MASTER_PORT='<free port>'

                        Outcome
                          The first of these ends the job:
                            exit code 0 when worker-0 of worker-0, worker-1 of worker-1 have ended: the workers are done
                            exit code 75 when port 5000 of w1 accepts connections: worker 1 came late
                            exit code 0 at once: nothing to do
                        """);
    }

    @Test
    void aNodeThatFollowsTheLeaderSaysWithWhichCodeItEnds() {
        assertThat(follower())
                .contains(
                        "  This node serves the others: it ends when the launcher that leads says that the job ended, "
                                + "with the job's exit code.\n")
                .contains("    Ready:       when port 22 of h accepts connections\n");
    }

    private static String follower() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.FOLLOWS_LEADER)
                .process(ProcessSpec.service("sshd", Plans.launch("sshd.txt"))
                        .withReadyWhen(Condition.portOpen("h", 22)))
                .build();
        return PlanText.render(report(new NodePlan(Plans.job(), Plans.node(), plan, Optional.empty())), SECRETS);
    }

    @Test
    void showsTheNodesOneAfterTheOther() {
        NodePlan node = new NodePlan(Plans.job(), Plans.node(), Plans.of(Plans.task("a")), Optional.empty());
        NodePlan other = new NodePlan(Plans.job(), Plans.unknownNode(), Plans.of(Plans.task("b")), Optional.empty());

        assertThat(PlanText.render(report(node, other), SECRETS))
                .startsWith("Plan of node 1 of 2\n")
                .contains("exit code.\n\n\nPlan of this node\n");
    }

    @Test
    void showsWhereSettingsCameFrom() {
        PlanReport report = new PlanReport(
                "ascend",
                "",
                Duration.ofMinutes(10),
                List.of(),
                List.of(
                        new Setting("grace", "10m", "MUSTER_GRACE"),
                        new Setting("rank-table", "/x", "--rank-table"),
                        new Setting("ssh-key", "/root/.ssh/id_rsa", "-o ssh-key", true),
                        new Setting("api-key", "hidden", "muster.json")),
                Optional.empty());

        assertThat(PlanText.render(report, SECRETS)).isEqualTo("""
                        Settings
                        ========
                          grace       = 10m                (MUSTER_GRACE)
                          rank-table  = /x                 (--rank-table)
                          ssh-key     = /root/.ssh/id_rsa  (-o ssh-key)
                          api-key     = ******             (muster.json)
                        """);
    }

    private static PlanReport report(NodePlan... nodes) {
        return new PlanReport(
                "ascend", "MA_VJ_NAME is set", Duration.ofSeconds(15), List.of(nodes), List.of(), Optional.empty());
    }
}
