package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written as a fact is read as it was, after it has been JSON; what is not understood is passed over. */
class FactsTest {

    private static final JobEnd END = new JobEnd(
            JobEnd.Kind.FAILED,
            "worker-1",
            Optional.of("gpu2"),
            137,
            OptionalInt.of(9),
            "signal 9 (SIGKILL)",
            Optional.of("rank-4"),
            OptionalInt.of(4),
            OptionalLong.of(71),
            Optional.of("/var/log/\u00fc.log"));
    private static final JobEnd BARE = JobEnd.of(JobEnd.Kind.LOST, "node-0", Optional.empty(), 75, "gone");

    private static final JobEnd GRACEFUL =
            BARE.withGrace(Optional.of(Duration.ofMinutes(9))).bySignal(15).remarked("after 2 runs");

    private static Fact overTheWire(Fact fact) {
        String text = Json.indented(fact.content());
        JsonReading reading = Json.read(text);
        return new Fact(((JsonReading.Complete) reading).content());
    }

    static List<Said> said() {
        return List.of(
                new Said.Awaiting(Optional.of("hccl.json")),
                new Said.Awaiting(Optional.empty()),
                new Said.Started("rank-4", 71, OptionalInt.of(4), Optional.of("/log"), -5),
                new Said.Started("sshd", 72, OptionalInt.empty(), Optional.empty(), Long.MAX_VALUE),
                new Said.Ready("sshd", 7),
                new Said.Ended("rank-4", 137, OptionalInt.of(9), "signal 9 (SIGKILL)", true, 8),
                new Said.Ended("rank-4", 0, OptionalInt.empty(), "exit code 0", false, 8),
                new Said.Over(END, 9),
                new Said.Over(BARE, 9),
                new Said.Over(GRACEFUL, 9),
                new Said.Heeded(),
                new Said.Succeeded(),
                new Said.Left(143));
    }

    @ParameterizedTest
    @MethodSource("said")
    void readsWhatAMemberSaid(Said said) {
        List<Fact> facts = ToldFacts.write(said, text -> "digest");

        assertThat(facts).hasSize(1);
        assertThat(ToldFacts.read(overTheWire(facts.get(0)))).contains(new Told.Plainly(said));
    }

    @Test
    void aRemarkTakesNothingAway() {
        assertThat(GRACEFUL.grace()).contains(Duration.ofMinutes(9));
        assertThat(GRACEFUL.signal()).hasValue(15);
        assertThat(GRACEFUL.reason()).isEqualTo("gone; after 2 runs");
    }

    @Test
    void aPlanNeverHoldsTheCommand() {
        TreeMap<String, String> equal = new TreeMap<>(Map.of("cards", "8"));
        TreeSet<String> watched = new TreeSet<>();
        for (int process = 0; process < 250; process++) {
            watched.add("worker@node-" + process);
        }
        List<Fact> facts =
                ToldFacts.write(new Said.Planned(equal, "python train.py", true, watched), text -> "digest of it");

        assertThat(facts.toString()).doesNotContain("train.py");
        assertThat(ToldFacts.read(overTheWire(facts.get(0)))).contains(new Told.Plan(equal, "digest of it", true));
        assertThat(facts).hasSize(4);
        assertThat(ToldFacts.read(overTheWire(facts.get(3)))
                        .map(told -> ((Told.Watching) told).processes().size()))
                .contains(50);
    }

    @Test
    void readsTheCommand() {
        assertThat(ToldFacts.read(overTheWire(ToldFacts.command("python b.py"))))
                .contains(new Told.Command("python b.py"));
    }

    static List<Order> orders() {
        return List.of(
                new Order.Stop(END, -3),
                new Order.Decided(END),
                new Order.Decided(BARE),
                new Order.ProcessIs("ps@node-1", Heard.State.READY, 3),
                new Order.ProcessIs("ps@node-1", Heard.State.ENDED, 3),
                new Order.MayLeave(),
                new Order.Waiting(List.of(new Order.Waiter("node-1", Optional.of("gpu2"), "hccl.json"))),
                new Order.OtherCommand("python a.py"),
                new Order.Goodbye(3));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void readsWhatALeaderSaid(Order order) {
        assertThat(OrderFacts.read(overTheWire(OrderFacts.write(order)))).contains(order);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void isNeverLargerThanWasThought(Order order) {
        Fact fact = OrderFacts.write(order);
        int bytes = Json.indented(fact.content()).replaceAll("\n *", "").getBytes(StandardCharsets.UTF_8).length;

        assertThat(JsonSize.of(fact.content())).isGreaterThanOrEqualTo(bytes);
    }

    @Test
    void passesOverWhatItDoesNotKnow() {
        Fact later = new Fact(Map.of("is", "holiday", "until", 3L));

        assertThat(OrderFacts.read(later)).isEmpty();
        assertThat(ToldFacts.read(later)).isEmpty();
        assertThat(ToldFacts.read(new Fact(Map.of()))).isEmpty();
        assertThat(OrderFacts.read(new Fact(Map.of("is", 3L)))).isEmpty();
        assertThat(OrderFacts.read(new Fact(Map.of("is", "stop", "end", "soon"))))
                .isEmpty();
        assertThat(ToldFacts.read(new Fact(Map.of("is", "ready", "process", List.of()))))
                .isEmpty();
    }

    @Test
    void passesOverFieldsThatItDoesNotKnow() {
        Map<String, Object> content =
                new LinkedHashMap<>(OrderFacts.write(new Order.Goodbye(3)).content());
        content.put("mood", Map.of("good", true));

        assertThat(OrderFacts.read(new Fact(content))).contains(new Order.Goodbye(3));
    }

    @Test
    void aKindOfALaterVersionIsAFailure() {
        Map<String, Object> end = new LinkedHashMap<>(EndFacts.write(BARE).content());
        end.put("kind", "abducted");

        assertThat(OrderFacts.read(new Fact(Map.of("is", "stop", "end", end, "at", 3L))))
                .contains(new Order.Stop(JobEnd.of(JobEnd.Kind.FAILED, "node-0", Optional.empty(), 75, "gone"), 3));
    }

    @Test
    void foreignTextsCannotRewriteTheTerminal() {
        Fact fact = ToldFacts.command("\u001b[2Jhello\n" + "x".repeat(100_000));

        String command = ((Told.Command) ToldFacts.read(overTheWire(fact)).orElseThrow()).command();
        assertThat(command).startsWith("\\u001b[2Jhello\\nxxx").endsWith("...").hasSizeLessThan(3000);
    }
}
