package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.muster.spi.Condition;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredDirectory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RanksTest {

    private static final String LOGS = "/tmp/log/modelarts-job-x/ascend/process_log/rank_";

    private static TestJob job() {
        return new TestJob().table(TemplateTwoTest.TWO_NODES).pod("jobx-worker-0");
    }

    private static Map<String, String> environment(ProcessSpec task) {
        Map<String, String> environment = new TreeMap<>();
        task.launch().environment().set().forEach((name, value) -> environment.put(name, TestJob.text(value)));
        return environment;
    }

    private static Map<String, String> expected(int rank, int card) {
        return Map.of(
                "ASCEND_DEVICE_ID",
                Integer.toString(card),
                "ASCEND_PROCESS_LOG_PATH",
                LOGS + rank,
                "DEVICE_ID",
                Integer.toString(card),
                "HCCL_CONNECT_TIMEOUT",
                "1800",
                "JOB_ID",
                "modelarts-job-x",
                "RANK_ID",
                Integer.toString(rank),
                "RANK_SIZE",
                "3",
                "RANK_TABLE_FILE",
                "<rank-table>");
    }

    @Test
    void environmentOfRanksIsTheReferences() {
        assertThat(job().onModelArts().plan().processes())
                .extracting(ProcessSpec::id, RanksTest::environment)
                .containsExactly(tuple("rank-0", expected(0, 0)), tuple("rank-1", expected(1, 1)));
        assertThat(job().onModelArts().pod("jobx-worker-1").plan().processes())
                .extracting(ProcessSpec::id, RanksTest::environment)
                .containsExactly(tuple("rank-2", expected(2, 0)));
    }

    @Test
    void directoriesAndLogsAreTheReferences() {
        LaunchPlan plan = job().plan();

        assertThat(plan.processes())
                .extracting(ProcessSpec::launch)
                .extracting(Launch::workDirectory, Launch::logFile)
                .containsExactly(
                        tuple("/m/workspace/device0", "modelarts-job-x-proc-rank-0-device-0.txt"),
                        tuple("/m/workspace/device1", "modelarts-job-x-proc-rank-1-device-1.txt"));
        assertThat(plan.directories())
                .containsExactly(
                        RequiredDirectory.of("/m/workspace/device0", "working directory of rank 0"),
                        RequiredDirectory.of(LOGS + "0", "CANN logs of rank 0").orWarn(),
                        RequiredDirectory.of("/m/workspace/device1", "working directory of rank 1"),
                        RequiredDirectory.of(LOGS + "1", "CANN logs of rank 1").orWarn());
    }

    @Test
    void logOfTheLastNodeCountsItsCardsFromZeroToo() {
        LaunchPlan plan = job().pod("jobx-worker-1").plan();

        assertThat(plan.processes().get(0).launch().logFile()).isEqualTo("modelarts-job-x-proc-rank-2-device-0.txt");
        assertThat(plan.processes().get(0).launch().workDirectory()).isEqualTo("/m/workspace/device0");
    }

    @Test
    void ranksAreTasksThatStartAtOnceWithTheUsersCommand() {
        LaunchPlan plan = job().plan();

        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.tasks(plan))
                .allSatisfy(task -> {
                    assertThat(task.startWhen()).isEqualTo(Condition.IMMEDIATELY);
                    assertThat(task.hosted()).isEmpty();
                    assertThat(task.launch().command()).isEqualTo(Launch.literally(List.of("python", "a b.py")));
                })
                .extracting(ProcessSpec.Task::placement)
                .containsExactly(Optional.of(new RankInfo(0, 0, 3)), Optional.of(new RankInfo(1, 1, 3)));
    }

    @Test
    void variablesOfTheUserAreKeptEvenWhenEmpty() {
        LaunchPlan plan = job().variable("HCCL_CONNECT_TIMEOUT", "")
                .variable("ASCEND_PROCESS_LOG_PATH", "")
                .plan();

        assertThat(environment(plan.processes().get(0)))
                .doesNotContainKeys("HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH");
        assertThat(plan.directories()).hasSize(2);
    }

    @Test
    void directoryForLogsOfTheUsersChoiceIsMadeOnce() {
        LaunchPlan plan = job().variable("ASCEND_PROCESS_LOG_PATH", "/my/logs").plan();

        assertThat(plan.directories())
                .filteredOn(directory -> !directory.required())
                .containsExactly(
                        RequiredDirectory.of("/my/logs", "CANN logs of rank 0").orWarn());
        assertThat(environment(plan.processes().get(0))).doesNotContainKey("ASCEND_PROCESS_LOG_PATH");
    }

    @Test
    void relativeDirectoryForLogsIsMadeWhereTheRankLooksForIt() {
        LaunchPlan plan = job().variable("ASCEND_PROCESS_LOG_PATH", "logs").plan();

        assertThat(plan.directories())
                .extracting(RequiredDirectory::path)
                .contains("/m/workspace/device0/logs", "/m/workspace/device1/logs");
    }

    @Test
    void ranksMayShareAWorkingDirectory() {
        LaunchPlan plan = job().places(new JobDirectories("/home/me", false, "/home/me/muster-logs", Optional.empty()))
                .plan();

        assertThat(TestJob.tasks(plan))
                .extracting(task -> task.launch().workDirectory())
                .containsOnly("/home/me");
        assertThat(plan.directories()).extracting(RequiredDirectory::path).containsOnlyOnce("/home/me");
        assertThat(plan.files())
                .singleElement()
                .satisfies(file -> assertThat(file.directory()).isEmpty());
    }
}
