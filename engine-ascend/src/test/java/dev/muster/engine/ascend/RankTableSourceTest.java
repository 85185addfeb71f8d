package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Input;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RankTableSourceTest {

    private static Input table(String path, Optional<String> nameInDirectory, String origin, boolean isRequired) {
        return new Input.JsonFile(
                "rank-table",
                path,
                nameInDirectory,
                origin,
                isRequired,
                "status",
                "completed",
                List.of("initializing"),
                RankTableSource.PARSER);
    }

    @Test
    void optionComesFirst() {
        TestJob job = new TestJob()
                .onModelArts()
                .variable("RANK_TABLE_FILE_V_1_0", "/v1.json")
                .variable("RANK_TABLE_FILE", "/dir")
                .option("rank-table", "/mine.json");

        assertThat(job.inputs())
                .containsExactly(table("/mine.json", Optional.of("jobstart_hccl.json"), "--rank-table", true));
    }

    @Test
    void variableOfTemplateOneWinsOverTheOther() {
        TestJob job = new TestJob()
                .onModelArts()
                .variable("RANK_TABLE_FILE_V_1_0", "/v1.json")
                .variable("RANK_TABLE_FILE", "/dir");

        assertThat(job.inputs()).containsExactly(table("/v1.json", Optional.empty(), "RANK_TABLE_FILE_V_1_0", true));
    }

    @Test
    void variableNamesDirectoryOrFile() {
        TestJob job = new TestJob().variable("RANK_TABLE_FILE_V_1_0", "").variable("RANK_TABLE_FILE", "relative/dir");

        assertThat(job.inputs())
                .containsExactly(table("relative/dir", Optional.of("jobstart_hccl.json"), "RANK_TABLE_FILE", true));
    }

    @Test
    void variableOfMindSporeComesAfterThose() {
        TestJob job = new TestJob().onApulis().variable("MINDSPORE_HCCL_CONFIG_PATH", "/mine/hccl_ms.json");

        assertThat(job.inputs())
                .containsExactly(table("/mine/hccl_ms.json", Optional.empty(), "MINDSPORE_HCCL_CONFIG_PATH", true));
        assertThat(job.variable("RANK_TABLE_FILE", "/other.json").inputs())
                .containsExactly(table("/other.json", Optional.of("jobstart_hccl.json"), "RANK_TABLE_FILE", true));
    }

    @Test
    void platformThatWritesTablesKeepsItsPromise() {
        TestJob job = new TestJob().onModelArts().variable("RANK_TABLE_FILE", "");

        assertThat(job.inputs())
                .containsExactly(
                        table("/user/config/jobstart_hccl.json", Optional.empty(), "platform modelarts", true));
    }

    @Test
    void withoutAllTheseTheDefaultFileCountsOnlyWhenItExists() {
        Input byDefault = table("/user/config/jobstart_hccl.json", Optional.empty(), "default", false);
        Input addresses = new Input.TextFile("hccn.conf", "/etc/hccn.conf");

        assertThat(new TestJob().inputs()).containsExactly(byDefault, addresses);
        assertThat(new TestJob().onSlurm().inputs()).containsExactly(byDefault, addresses);
    }
}
