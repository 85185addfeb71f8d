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
                    Optional.of("/logs/rank-4.txt"),
                    OptionalLong.empty())
            .withGrace(Optional.of(Duration.ofSeconds(3)));

    private static final JobEnd BARE = JobEnd.of(JobEnd.Kind.LOST, "node-1", Optional.empty(), 75, "gone");

    static List<LocalEvent> ofMembers() {
        return List.of(
                new LocalEvent.Awaiting(Optional.of("hccl.json")),
                new LocalEvent.Awaiting(Optional.empty()),
                new LocalEvent.Planned(
                        new TreeMap<>(Map.of("cards", "8")), "digest", true, new TreeSet<>(Set.of("ps-0@ps-0"))),
                new LocalEvent.Here("run 2"),
                new LocalEvent.Started("rank-0", 71, OptionalInt.of(4), Optional.of("/logs/a"), 7),
                new LocalEvent.Started("ps", 71, OptionalInt.empty(), Optional.empty(), -7),
                new LocalEvent.Ready("ps", 3),
                new LocalEvent.Ended(
                        "ps",
                        137,
                        OptionalInt.of(9),
                        "signal 9 (SIGKILL)",
                        true,
                        5,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty()),
                new LocalEvent.Ended(
                        "rank-0",
                        0,
                        OptionalInt.empty(),
                        "exit code 0",
                        false,
                        5,
                        OptionalLong.of(1L << 40),
                        OptionalLong.of(1500),
                        OptionalLong.of(0)),
                new LocalEvent.Over(END, true, 9),
                new LocalEvent.Over(BARE, 9),
                new LocalEvent.Heeded(),
                new LocalEvent.Succeeded(Optional.empty()),
                new LocalEvent.Asked("7", "top", "{\"ranks\":[1]}"),
                new LocalEvent.Answered("node-1", "7", "H4sIAAAA+/=", true),
                new LocalEvent.Left(75));
    }

    static List<LinkEvent> ofLeaders() {
        return List.of(
                new LinkEvent.Complete(2, Set.of("node-1")),
                new LinkEvent.Stop(END, true),
                new LinkEvent.Decided(BARE),
                new LinkEvent.ProcessIs("ps@node-1", LinkEvent.State.READY),
                new LinkEvent.Question("node-1", "7", "top", "{\"ranks\":[1]}"),
                new LinkEvent.Answer("node-1", "7", "H4sIAAAA+/=", false),
                new LinkEvent.NoAnswer("node-1", "7", "its launcher has ended"),
                new LinkEvent.MayLeave());
    }

    static List<LeaderMessage> orders() {
        return List.of(
                new LeaderMessage.Start(2),
                new LeaderMessage.Waiting(
                        List.of(new LeaderMessage.Waiter("node-1", Optional.of("gpu2"), "hccl.json"))),
                new LeaderMessage.Goodbye());
    }

    @ParameterizedTest
    @MethodSource("ofMembers")
    void whatAMemberSaysArrives(LocalEvent said) {
        assertThat(Messages.read(overTheWire(said), LocalEvent.class)).hasValue(said);
    }

    @ParameterizedTest
    @MethodSource("ofLeaders")
    void whatALeaderSaysArrives(LinkEvent heard) {
        assertThat(Messages.read(overTheWire(heard), LinkEvent.class)).hasValue(heard);
        assertThat(Messages.read(overTheWire(heard), LeaderMessage.class)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void anOrderArrives(LeaderMessage order) {
        assertThat(Messages.read(overTheWire(order), LeaderMessage.class)).hasValue(order);
        assertThat(Messages.read(overTheWire(order), LinkEvent.class)).isEmpty();
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
                        assertThat(Messages.read(message, LocalEvent.class)).isEmpty());
    }

    @Test
    void longTextsAreCutAndControlCharactersShown() {
        LocalEvent.Awaiting read = (LocalEvent.Awaiting) Messages.read(
                        overTheWire(new LocalEvent.Awaiting(Optional.of("a\u001b[31m" + "b".repeat(9000)))),
                        LocalEvent.class)
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
