package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cards that a rank table lists, compared with other sources for the cards of this server. */
class TableCardsTest {

    private static final String ALL = "0;1;2;3;4;5;6;7";

    /** A server whose table lists these cards, for ranks 0, 1, ... in this order. */
    private static TestJob server(int... cards) {
        String devices = IntStream.range(0, cards.length)
                .mapToObj(rank -> "{'device_id': '%d', 'device_ip': '192.1.1.%d', 'rank_id': '%d'}"
                        .formatted(cards[rank], rank + 1, rank))
                .collect(Collectors.joining(", "));
        return new TestJob()
                .table("{'status': 'completed', 'version': '1.0', 'server_list': [{'server_id': 'one', 'device': ["
                        + devices + "]}]}");
    }

    private static TestJob with(TestJob job, String usable, String visible) {
        if (visible != null) {
            return job.visible(visible);
        }
        return usable == null ? job : job.usable("/dev/davinci*", usable.split(";", -1));
    }

    private static List<String> numbers(LaunchPlan plan) {
        return TestJob.tasks(plan).stream()
                .map(task -> TestJob.text(
                        Objects.requireNonNull(task.launch().environment().set().get("DEVICE_ID"))))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 5,           ,    , '4,5', 0 1",
        "4, 5, 0;1;2;3;4;5;6;7,    , '4,5', 0 1",
        "0, 1, 0;1;2;3;4;5;6;7,    , (not set), 0 1",
        "4, 5, 4;5,      , (not set), 0 1",
        "5, 4,           ,    , '4,5', 1 0",
        "4, 5,           , '4,5', (not set), 0 1",
        "4, 5,           , '4,5,6', (not set), 0 1",
        "5, 6,           , '4,5,6', '5,6', 0 1",
        "4, 5,           , '4, 5', '4,5', 0 1",
    })
    void ranksOfAServerSeeTheirCardsAndCallThemByTheirPlace(
            int first, int second, String usable, String visible, String shown, String numbers) {
        LaunchPlan plan = with(server(first, second), usable, visible).plan();

        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo(shown);
        assertThat(numbers(plan)).containsExactly(numbers.split(" ", -1));
    }

    @Test
    void ranksOfAContainerCallTheirCardsByTheirOrder() {
        LaunchPlan plan = server(5, 4).onMindXDl().plan();

        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("(not set)");
        assertThat(numbers(plan)).containsExactly("0", "1");
    }

    @Test
    void ranksOfALevelListSeeTheCardsOfTheirBlock() {
        String rank = "{'rank_id': %d, 'local_id': %d, 'device_id': %d}";
        String table = "{'status': 'completed', 'version': '2.0', 'rank_list': ["
                + String.join(", ", rank.formatted(1, 1, 7), rank.formatted(0, 0, 6)) + "]}";

        LaunchPlan plan = new TestJob().table(table).node(0, 1).plan();

        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("6,7");
        assertThat(numbers(plan)).containsExactly("0", "1");
    }

    @Test
    void cardsThatContradictTheTableAreRefused() {
        server(4, 5)
                .cardIds(6, 7)
                .assertRefused(Kind.CONFIGURATION, "--card-ids asks for cards 6-7", "lists cards 4-5");
        server(4, 5).visible("6,7").assertRefused(Kind.CONFIGURATION, "ASCEND_RT_VISIBLE_DEVICES allows 6-7");
        server(4, 5)
                .usable("/dev/davinci*", "0", "1", "2", "3")
                .assertRefused(Kind.CONFIGURATION, "/dev/davinci* allows 0-3");
        server(0, 1)
                .onMindXDl()
                .usable("/dev/davinci*", "0")
                .assertRefused(Kind.CONFIGURATION, "lists 2 for server \"one\"", "/dev/davinci* allows 1");
        assertThat(TestJob.ranks(server(4, 5)
                        .usable("/dev/davinci*", ALL.split(";", -1))
                        .cardIds(5, 4)
                        .plan()))
                .containsExactly(0, 1);
    }
}
