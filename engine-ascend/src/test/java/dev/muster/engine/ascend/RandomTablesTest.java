package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.testkit.EngineConformance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules that hold for every table. A failure names the seed of its table. */
@Tag(EngineConformance.ONE_JDK)
class RandomTablesTest {

    private static final int TABLES = 1000;

    @Test
    void ranksAreNumberedOnceOverAllNodes() throws PlanException {
        for (long seed = 0; seed < TABLES; seed++) {
            RandomTable table = new RandomTable(seed);
            List<Integer> ranks = new ArrayList<>();
            for (TestJob job : table.jobs()) {
                LaunchPlan plan = new AscendEngine().plan(job.request());
                ranks.addAll(TestJob.ranks(plan));
                assertThat(TestJob.variable(plan, "RANK_SIZE"))
                        .as("seed %d", seed)
                        .isEqualTo(Integer.toString(table.total()));
            }
            assertThat(ranks.stream().sorted().toList())
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, table.total()).boxed().toList());
        }
    }

    @Test
    void allNodesWriteTheSameTable() throws PlanException {
        for (long seed = 0; seed < TABLES; seed++) {
            Set<List<GeneratedFile>> written = new HashSet<>();
            for (TestJob job : new RandomTable(seed).jobs()) {
                written.add(new AscendEngine().plan(job.request()).files());
            }
            assertThat(written).as("seed %d", seed).hasSize(1);
        }
    }

    @Test
    void writtenTableIsReadAgainWithoutAnotherCopy() throws PlanException {
        for (long seed = 0; seed < TABLES; seed++) {
            RandomTable table = new RandomTable(seed);
            for (GeneratedFile file :
                    new AscendEngine().plan(table.jobs().get(0).request()).files()) {
                RankTable again = RankTable.read(new InputValue.Json("/again.json", TestJson.object(file.content())));
                assertThat(again.cards()).as("seed %d", seed).isEqualTo(table.total());
                assertThat(again.rewritten()).as("seed %d", seed).isEmpty();
            }
        }
    }
}
