package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessagesTest {

    private static final JobEnd END = new JobEnd(
                    JobEnd.Kind.FAILED,
                    "node-1",
                    Optional.of("gpu2"),
                    139,
                    OptionalInt.of(11),
                    "rank 4 ended",
                    Optional.of("rank-4"),
                    OptionalInt.of(4),
                    OptionalLong.of(71),
                    Optional.of("/logs/rank-4.txt"))
            .withGrace(Optional.of(Duration.ofSeconds(3)));

    private static final JobEnd BARE = JobEnd.of(JobEnd.Kind.LOST, "node-1", Optional.empty(), 75, "gone");

    static List<Said> ofMembers() {
        return List.of(
                new Said.Awaiting(Optional.of("hccl.json")),
                new Said.Awaiting(Optional.empty()),
                new Said.Planned(
                        new TreeMap<>(Map.of("cards", "8")), "digest", true, new TreeSet<>(Set.of("ps-0@ps-0"))),
                new Said.Here("run 2"),
                new Said.Started("rank-0", 71, OptionalInt.of(4), Optional.of("/logs/a"), 7),
                new Said.Started("ps", 71, OptionalInt.empty(), Optional.empty(), -7),
                new Said.Ready("ps", 3),
                new Said.Ended("ps", 137, OptionalInt.of(9), "signal 9 (SIGKILL)", true, 5),
                new Said.Over(END, true, 9),
                new Said.Over(BARE, 9),
                new Said.Heeded(),
                new Said.Succeeded(),
                new Said.Left(75));
    }

    static List<Heard> ofLeaders() {
        return List.of(
                new Heard.Complete(2, 1, Set.of("node-1")),
                new Heard.Stop(END, true),
                new Heard.Decided(BARE),
                new Heard.ProcessIs("ps@node-1", Heard.State.READY),
                new Heard.MayLeave());
    }

    static List<Order> orders() {
        return List.of(
                new Order.Start(2, 1),
                new Order.Waiting(List.of(new Order.Waiter("node-1", Optional.of("gpu2"), "hccl.json"))),
                new Order.Goodbye(3));
    }

    @ParameterizedTest
    @MethodSource("ofMembers")
    void whatAMemberSaysArrives(Said said) {
        assertThat(Messages.read(overTheWire(said), Said.class)).hasValue(said);
    }

    @ParameterizedTest
    @MethodSource("ofLeaders")
    void whatALeaderSaysArrives(Heard heard) {
        assertThat(Messages.read(overTheWire(heard), Heard.class)).hasValue(heard);
        assertThat(Messages.read(overTheWire(heard), Order.class)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void anOrderArrives(Order order) {
        assertThat(Messages.read(overTheWire(order), Order.class)).hasValue(order);
        assertThat(Messages.read(overTheWire(order), Heard.class)).isEmpty();
    }

    @Test
    void whatCannotBeUsedIsPassedOver() {
        List<Map<String, Object>> unfit = List.of(
                Map.of(),
                Map.of("is", "unknown"),
                Map.of("is", 3L),
                Map.of("is", "over"),
                Map.of("is", "over", "end", "text"),
                Map.of("is", "left", "exitCode", List.of()));
        assertThat(unfit)
                .allSatisfy(message ->
                        assertThat(Messages.read(message, Said.class)).isEmpty());
    }

    @Test
    void longTextsAreCutAndControlCharactersShown() {
        Said.Awaiting read = (Said.Awaiting) Messages.read(
                        overTheWire(new Said.Awaiting(Optional.of("a\u001b[31m" + "b".repeat(9000)))), Said.class)
                .orElseThrow();
        assertThat(read.what().orElseThrow())
                .doesNotContain("\u001b")
                .endsWith("bbb...")
                .hasSizeLessThan(3000);
    }

    private static Map<String, Object> overTheWire(Object message) {
        return ((JsonReading.Complete) Json.read(Json.line(Messages.write(message)))).content();
    }
}
