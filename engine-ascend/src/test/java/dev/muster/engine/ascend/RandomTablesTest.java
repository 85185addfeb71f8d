package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.testkit.EngineConformance;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds for every table. A failure names the seed that makes the same table again. */
@Tag(EngineConformance.ONE_JDK)
class RandomTablesTest {

    private static final int TABLES = 1000;
    private static final int CORRUPTIONS = 5000;

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

    @Test
    void equalRequestsGiveEqualPlans() throws PlanException {
        for (long seed = 0; seed < TABLES; seed++) {
            LaunchPlan plan =
                    new AscendEngine().plan(new RandomTable(seed).jobs().get(0).request());
            LaunchPlan again =
                    new AscendEngine().plan(new RandomTable(seed).jobs().get(0).request());

            assertThat(again).as("seed %d", seed).isEqualTo(plan);
        }
    }

    @Test
    void corruptedTablesArePlannedOrRefusedAndNothingElse() {
        int refused = 0;
        for (long seed = 0; seed < CORRUPTIONS; seed++) {
            RandomTable table = new RandomTable(seed);
            Object corrupted = new Corruption(new Random(31 * seed), table.content()).result();
            Map<String, Object> content = corrupted instanceof Map<?, ?> map ? texts(map) : Map.of();
            refused += refuses(table.jobs().get(0).table(TestJob.TABLE_PATH, content), seed) ? 1 : 0;
        }
        assertThat(refused).isBetween(CORRUPTIONS / 4, CORRUPTIONS - 1);
    }

    private static boolean refuses(TestJob job, long seed) {
        try {
            new AscendEngine().plan(job.request());
            return false;
        } catch (PlanException expected) {
            assertThat(expected.getMessage())
                    .as("seed %d", seed)
                    .contains(TestJob.TABLE_PATH)
                    .doesNotContain("\n");
            return true;
        } catch (RuntimeException | StackOverflowError unexpected) {
            throw new AssertionError("seed " + seed, unexpected);
        }
    }

    private static Map<String, Object> texts(Map<?, ?> map) {
        Map<String, Object> texts = new LinkedHashMap<>();
        map.forEach((key, value) -> texts.put((String) key, value));
        return texts;
    }

    /** A copy of a table in which one value, of any depth, is another, is missing or appears twice. */
    private static final class Corruption {

        private static final Object[] WRONG = {
            "",
            " ",
            "-1",
            "0",
            "1",
            "NaN",
            "x",
            "99999999999",
            0L,
            1L,
            -7L,
            1.5,
            Double.NaN,
            true,
            List.of(),
            Map.of(),
            List.of(List.of()),
            Map.of("server_id", "a"),
            new BigInteger("9".repeat(40)),
            "\u0000"
        };

        private final Random random;
        private final Object original;
        private int countdown;

        Corruption(Random random, Object original) {
            this.random = random;
            this.original = original;
            this.countdown = 1 + random.nextInt(size(original) - 1);
        }

        @Nullable Object result() {
            return copy(original);
        }

        private static int size(@Nullable Object value) {
            int size = 1;
            if (value instanceof Map<?, ?> map) {
                for (Object child : map.values()) {
                    size += size(child);
                }
            } else if (value instanceof List<?> list) {
                for (Object child : list) {
                    size += size(child);
                }
            }
            return size;
        }

        private @Nullable Object copy(@Nullable Object value) {
            if (countdown-- == 0) {
                int choice = random.nextInt(WRONG.length + 1);
                return choice == WRONG.length ? null : WRONG[choice];
            }
            if (value instanceof Map<?, ?> map) {
                return copyOfMap(map);
            }
            if (value instanceof List<?> list) {
                return copyOfList(list);
            }
            return value;
        }

        private Map<Object, @Nullable Object> copyOfMap(Map<?, ?> map) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (countdown == 0 && random.nextBoolean()) {
                    countdown--;
                } else {
                    copy.put(entry.getKey(), copy(entry.getValue()));
                }
            }
            return copy;
        }

        private List<@Nullable Object> copyOfList(List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            for (Object element : list) {
                if (countdown == 0 && random.nextBoolean()) {
                    copy.add(element);
                }
                copy.add(copy(element));
            }
            return copy;
        }
    }
}
