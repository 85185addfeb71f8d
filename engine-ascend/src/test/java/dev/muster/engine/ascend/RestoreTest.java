package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a hybrid-parallel job restores. */
class RestoreTest {

    private static final String FILE = "/job/restore.json";
    private static final String STRATEGY =
            "{\"ranks\": \"0,1\", \"map\": {\"0, 2\": 0, \"1\": \"1\"}, \"pattern\": \"/ckpt/rank_{rank}/p*_b.ckpt\"}";

    @Test
    @DisplayName("5: ranks and map reach every rank in the forms that the guide's code reads")
    void ranksAreToldWhatToRestore() throws PlanException {
        TestJob job = job(STRATEGY);
        assertThat(job.moreInputs())
                .containsExactly(
                        new Input.NewestFile("breakpoint of rank 0", "/ckpt/rank_0/p*_b.ckpt"),
                        new Input.NewestFile("breakpoint of rank 1", "/ckpt/rank_1/p*_b.ckpt"));

        LaunchPlan plan = found(found(job, 0, 100), 1, 100).plan();

        assertThat(told(plan)).containsExactly("0,1", "{\"0,2\": 0, \"1\": \"1\"}");
        assertThat(plan.equal()).containsEntry("ranks to restore", "0,1");
        assertThat(warnings(plan)).isEmpty();
    }

    @Test
    @DisplayName("5: a missing checkpoint is named and makes it -1")
    void aMissingCheckpointIsNamed() {
        LaunchPlan plan = found(job(STRATEGY), 1, 100).plan();

        assertThat(told(plan)).containsExactly("-1", "{}");
        assertThat(plan.equal()).containsEntry("ranks to restore", "-1");
        assertThat(warnings(plan))
                .containsExactly(
                        "RESTORE_RANKS=-1, ranks restore no checkpoint of a dying gasp: breakpoint of rank 0 is"
                                + " missing: /ckpt/rank_0/p*_b.ckpt");
    }

    @Test
    @DisplayName("5: checkpoints of unequal size are named and make it -1")
    void checkpointsOfUnequalSizeAreNamed() {
        String three = STRATEGY.replace("0,1\"", "0,1,2\"");
        LaunchPlan plan = found(found(found(job(three), 0, 100), 1, 99), 2, 100).plan();

        assertThat(told(plan)).containsExactly("-1", "{}");
        assertThat(warnings(plan))
                .containsExactly("RESTORE_RANKS=-1, ranks restore no checkpoint of a dying gasp: breakpoint of rank 1"
                        + " has 99 bytes: /ckpt/rank_1/p_b.ckpt; breakpoint of rank 0 has 100 bytes:"
                        + " /ckpt/rank_0/p_b.ckpt");
    }

    @Test
    @DisplayName("5: empty checkpoints are named and make it -1, though they are equal")
    void emptyCheckpointsAreNamed() {
        LaunchPlan plan = found(found(job(STRATEGY), 0, 0), 1, 0).plan();

        assertThat(told(plan)).containsExactly("-1", "{}");
        assertThat(warnings(plan))
                .singleElement()
                .asString()
                .endsWith(": breakpoint of rank 0 is empty: /ckpt/rank_0/p_b.ckpt; breakpoint of rank 1 is empty:"
                        + " /ckpt/rank_1/p_b.ckpt");
    }

    @Test
    @DisplayName("5: a rank that the map leaves to itself needs its own checkpoint")
    void aRankThatIsLeftToItselfNeedsItsOwn() throws PlanException {
        TestJob job = job(STRATEGY.replace("0, 2", "0"));
        assertThat(job.moreInputs()).extracting(Input::id).contains("breakpoint of rank 2");

        assertThat(warnings(found(found(job, 0, 7), 1, 7).plan()))
                .singleElement()
                .asString()
                .endsWith(": breakpoint of rank 2 is missing: /ckpt/rank_2/p*_b.ckpt");
        assertThat(told(found(job, 2, 8).plan()).get(0)).isEqualTo("0,1");
    }

    @Test
    @DisplayName("5: no file, or one that says -1: nothing is restored")
    void nothingToRestore() throws PlanException {
        TestJob without = new TestJob().table(TemplateOneTest.ONE_SERVER).option("restore-ranks", FILE);
        assertThat(told(without.plan())).containsExactly("-1", "{}");
        assertThat(warnings(without.plan())).singleElement().asString().contains("there is no " + FILE);

        for (String none : List.of("\"-1\"", "-1", "[]", "\"\"", "null")) {
            TestJob job = job("{\"ranks\": " + none + ", \"map\": null}");
            assertThat(job.moreInputs()).isEmpty();
            assertThat(told(job.plan())).containsExactly("-1", "{}");
        }
    }

    @Test
    @DisplayName("5: a job that does not ask keeps what its ranks inherit")
    void whoDoesNotAskIsToldNothing() throws PlanException {
        TestJob job = new TestJob().table(TemplateOneTest.ONE_SERVER);

        assertThat(job.moreInputs()).isEmpty();
        assertThat(environment(job.plan())).doesNotContainKeys("RESTORE_RANKS", "RESTORE_RANKS_MAP");
        assertThat(job.plan().equal()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"map\":{}}                                                | : ranks is missing",
                "{\"ranks\":{}}                                              | /ranks: ",
                "{\"ranks\":[0,-2]}                                          | /ranks/1: \"-2\" is no rank",
                "{\"ranks\":\"0,,1\"}                                        | /ranks: \"\" is no rank",
                "{\"ranks\":[0]}                                             | /pattern: pattern is missing",
                "{\"ranks\":[0],\"pattern\":\"/x/rank_0\"}                   | /pattern: \"/x/rank_0\" is no path with {rank} in it",
                "{\"ranks\":[0],\"pattern\":\"\",\"map\":{}}               | /pattern: \"\" is no path with {rank} in it",
                "{\"ranks\":[0],\"pattern\":7,\"map\":{}}                  | /pattern: 7 is no path with {rank} in it",
                "{\"ranks\":[0],\"pattern\":\"/\\ud800{rank}\"}             | is no path with {rank} in it",
                "{\"ranks\":[0],\"pattern\":\"{rank}\",\"map\":[]}         | /map: an array is not an object",
                "{\"ranks\":[0],\"pattern\":\"{rank}\",\"map\":\"{0: 0}\"} | /map: \"{0: 0}\" is not an object",
                "{\"ranks\":[0],\"pattern\":\"{rank}\"}                      | /map: map is missing",
                "{\"ranks\":[0],\"pattern\":\"{rank}\",\"map\":{\"1\":2}}    | /map/1: rank 2 is none of ranks 0",
                "{\"ranks\":[0],\"pattern\":\"{rank}\",\"map\":{\"a\":0}}    | /map/a: \"a\" is no rank",
                "{\"ranks\":[0],\"pattern\":\"{rank}\",\"map\":{\"1\":0,\"2,1\":0}} | /map/2,1: rank 1 stands in two keys"
            })
    @DisplayName("5: a wrong file is refused with the place")
    void wrongFilesAreRefused(String content, String complaint) {
        PlanException refusal =
                catchThrowableOfType(PlanException.class, () -> job(content).moreInputs());

        assertThat(refusal.kind()).isEqualTo(PlanException.Kind.DATA);
        assertThat(refusal).hasMessageContainingAll(FILE, complaint).hasMessageNotContaining("--rank-table");
    }

    private static TestJob job(String strategy) {
        return new TestJob()
                .table(THREE_CARDS)
                .option("restore-ranks", FILE)
                .input("restore-ranks", new InputValue.Json(FILE, TestJson.object(strategy)));
    }

    private static final String THREE_CARDS = "{\"status\":\"completed\",\"version\":\"1.0\",\"server_count\":\"1\","
            + "\"server_list\":[{\"server_id\":\"node_0\",\"device\":["
            + "{\"device_id\":\"0\",\"device_ip\":\"10.1.0.1\",\"rank_id\":\"0\"},"
            + "{\"device_id\":\"1\",\"device_ip\":\"10.1.0.2\",\"rank_id\":\"1\"},"
            + "{\"device_id\":\"2\",\"device_ip\":\"10.1.0.3\",\"rank_id\":\"2\"}]}]}";

    private static TestJob found(TestJob job, int rank, long size) {
        return job.input("breakpoint of rank " + rank, new InputValue.Found("/ckpt/rank_" + rank + "/p_b.ckpt", size));
    }

    private static List<String> told(LaunchPlan plan) {
        return List.of(
                literal(environment(plan).get("RESTORE_RANKS")),
                literal(environment(plan).get("RESTORE_RANKS_MAP")));
    }

    private static String literal(@Nullable Value value) {
        return Objects.requireNonNull(value).text();
    }

    private static Map<String, Value> environment(LaunchPlan plan) {
        return TestJob.tasks(plan).get(0).launch().environment().set();
    }

    private static List<String> warnings(LaunchPlan plan) {
        return plan.notes().stream()
                .filter(note -> note.isWarning())
                .map(Note::text)
                .filter(text -> text.contains("RESTORE"))
                .toList();
    }
}
