package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTextTest {

    @Test
    void showsEverythingThatIsNotEmpty() {
        assertThat(Plans.text(report(new NodePlan(Plans.job(), Plans.node(), Plans.rich(), Optional.empty()))))
                .isEqualTo("""
                        Plan of node 1 of 2
                        ===================
                        engine: ascend
                        grace: 15s
                        index: 1
                        count: 2
                        name: pod-1
                        address: 192.168.0.26
                        platform:
                          name: modelarts
                          reason: MA_VJ_NAME is set
                        job:
                          id: job-7
                          command: python3 train.py --api-key ****** --text $'it\\'s \\n'
                          workDirectory: /jobs
                          workDirectoryPerTask: true
                          logDirectory: /logs
                          tableDirectory: /tables
                        directories:
                          - path: /jobs/device0, purpose: working directory of rank 2, required: true
                          - path: /logs/process_log, purpose: process log of rank 2, required: false
                        files:
                          - id: rank-table, path: /tables/table.json, bytes: 3, sha256: ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356
                          - id: hosts, path: <private temporary directory>/hostfile, bytes: 3, sha256: ac6f010e65c9ea739dbdaa21427edd5ef60c6d461ef4d619c003e3ab62453a56
                        processes:
                          - id: rank-2
                            kind: task
                            rank: 2
                            localRank: 0
                            worldSize: 4
                            command: python3 --token=****** '<private temporary directory>/hostfile'
                            environment:
                              set:
                                GREETING: good day
                                HF_TOKEN: ******
                                RANK_ID: 2
                                RANK_TABLE_FILE: /tables/table.json
                              remove: OLD OTHER
                            workDirectory: /jobs/device0
                            logFile: job-7-rank-2.txt
                            startWhen: at once
                            stop:
                              signal: TERM
                              grace: 15s
                          - id: sshd
                            kind: service
                            mayEnd: false
                            command: true
                            workDirectory: /jobs
                            logFile: sshd.txt
                            startWhen: at once
                            readyWhen: port 2222 of 127.0.0.1 accepts connections
                            stop:
                              signal: TERM
                              grace: 15s
                          - id: release
                            kind: step
                            phase: afterOutcome
                            deadline: 10s
                            required: true
                            command: true
                            workDirectory: /jobs
                            logFile: release.txt
                            startWhen: port 22 of host-0 accepts connections
                            stop:
                              signal: TERM
                              grace: 15s
                        outcome:
                          kind: firstOf
                          cases:
                            - when: rank-2 has ended, exitCode: 0, reason: the rank is done
                            - when: rank-0 of node 0 has ended, exitCode: 75, reason: task 0 was lost
                        notes:
                          - level: info, text: 2 cards are used
                          - level: warning, text: the table is old


                        Settings
                        ========
                        """);
    }

    @Test
    void showsTheNodesOneAfterTheOther() {
        NodePlan node = new NodePlan(Plans.job(), Plans.node(), Plans.of(Plans.task("a")), Optional.empty());
        NodePlan other = new NodePlan(Plans.job(), Plans.unknownNode(), Plans.of(Plans.task("b")), Optional.empty());

        assertThat(Plans.text(report(node, other)))
                .startsWith("Plan of node 1 of 2\n")
                .contains("\n\n\nPlan of this node\n");
    }

    @Test
    void showsWhereSettingsCameFrom() {
        PlanReport report = new PlanReport(
                "ascend",
                "",
                Duration.ofMinutes(10),
                List.of(),
                List.of(
                        new Settings.Shown("grace", "10m", "MUSTER_GRACE"),
                        new Settings.Shown("rank-table", "/x", "--rank-table"),
                        new Settings.Shown("api-key", "******", "muster.json")),
                Optional.empty());

        assertThat(Plans.text(report)).isEqualTo("""
                        Settings
                        ========
                        grace       = 10m     (MUSTER_GRACE)
                        rank-table  = /x      (--rank-table)
                        api-key     = ******  (muster.json)
                        """);
    }

    private static PlanReport report(NodePlan... nodes) {
        return new PlanReport(
                "ascend", "MA_VJ_NAME is set", Duration.ofSeconds(15), List.of(nodes), List.of(), Optional.empty());
    }
}
