package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.TestWorlds;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LikelyTablesTest {

    private static final Path HERE = Path.of("/here");

    @Test
    void theOptionComesBeforeTheVariablesAndThoseBeforeTheUsualPlace() {
        Map<String, String> variables = Map.of("RANK_TABLE_FILE", "/config");

        assertThat(LikelyTables.of(TestWorlds.of(HERE, variables, "--rank-table", "a.json", "--", "python")))
                .containsSequence(HERE.resolve("a.json"), HERE.resolve("a.json/jobstart_hccl.json"))
                .containsSequence(Path.of("/config"), Path.of("/config/jobstart_hccl.json"))
                .contains(Path.of("/user/config/jobstart_hccl.json"))
                .startsWith(HERE.resolve("a.json"));
        assertThat(LikelyTables.of(TestWorlds.of(HERE, variables, "--rank-table=b.json", "--", "python")))
                .startsWith(HERE.resolve("b.json"));
    }

    @Test
    void theJobsOwnWordsAreNotRead() {
        assertThat(LikelyTables.of(TestWorlds.of(HERE, Map.of(), "--engine", "ascend", "--", "--rank-table", "mine")))
                .isNotEmpty()
                .doesNotContain(HERE.resolve("mine"));
    }

    @Test
    void onlyALaunchHasOne() {
        Map<String, String> variables = Map.of("RANK_TABLE_FILE", "/config");

        assertThat(LikelyTables.of(TestWorlds.of(HERE, variables, "plan", "--engine", "ascend", "--", "python")))
                .isEmpty();
        assertThat(LikelyTables.of(TestWorlds.of(HERE, variables))).isEmpty();
    }

    @Test
    void whatCanBeNoPathIsLeftToWhoAsksForIt() {
        assertThat(LikelyTables.of(TestWorlds.of(HERE, Map.of("RANK_TABLE_FILE", "a\0b"), "--", "python")))
                .doesNotContain(HERE.resolve("a"));
    }
}
