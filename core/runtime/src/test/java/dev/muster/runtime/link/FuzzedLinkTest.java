package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.link.Handshake.Step;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever comes over a connection: no exception leaves what reads it, and nobody gets in by chance. */
class FuzzedLinkTest {

    private static final String JOB = "job-1";
    private static final JobKey KEY = JobKey.of(bytes("a secret"), JOB);
    private static final Hello MEMBER = hello("node-1", "cafe");
    private static final Hello LEADER = hello("node-0", "beef");

    /** What stands in the place of a value. */
    private static final List<Object> STRANGERS = List.of(
            "",
            "x",
            "\u0000\ud800",
            "y".repeat(5000),
            -1L,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            Double.NaN,
            0.5,
            true,
            List.of(),
            List.of("x", 3L),
            Map.of(),
            Map.of("is", Map.of("is", "stop")));

    private static Hello hello(String launcher, String nonce) {
        return new Hello(1, JobKey.hashOf(JOB), launcher, "run-of-" + launcher, nonce);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MemberHandshake member() {
        return new MemberHandshake(MEMBER, "node-0", KEY);
    }

    private static LeaderHandshake leader() {
        return new LeaderHandshake(LEADER, KEY);
    }

    private static Step.Answer answer() {
        return (Step.Answer) leader().step(bytes(member().opening()));
    }

    @Provide
    Arbitrary<byte[]> lines() {
        List<byte[]> real = new ArrayList<>();
        real.add(bytes(member().opening()));
        real.add(bytes(answer().line()));
        real.add(bytes(((Step.Done) member().step(bytes(answer().line()))).line()));
        real.add(bytes(new KeyQuestion(MEMBER, "MUNGE:AwQFAAC=:").line()));
        real.add(bytes(KeyQuestion.answerLine("MUNGE:AwQFAAC=:")));
        real.add(session().seal(Map.of("say", "hi")));
        for (Hello.Refusal refusal : Hello.Refusal.values()) {
            real.add(bytes(Hello.refusal(refusal)));
        }
        Arbitrary<byte[]> anything = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
        return Arbitraries.oneOf(damaged(Arbitraries.of(real)), damaged(damaged(Arbitraries.of(real))), anything);
    }

    /** A piece of a line is replaced by something else. */
    private static Arbitrary<byte[]> damaged(Arbitrary<byte[]> lines) {
        Arbitrary<byte[]> pieces = Arbitraries.oneOf(
                Arbitraries.bytes().array(byte[].class).ofMaxSize(4),
                Arbitraries.of("\"", "}", "{", "[", ",", ":", "null", "1e999", "-0", "\\u0000", "\n", "\u00e9", "true")
                        .map(FuzzedLinkTest::bytes));
        return Combinators.combine(lines, Arbitraries.integers().between(0, 1000), Arbitraries.of(0, 1, 1, 5), pieces)
                .as(FuzzedLinkTest::replaced);
    }

    private static byte[] replaced(byte[] line, int thousandth, int gone, byte[] piece) {
        int at = line.length * thousandth / 1000;
        int rest = Math.min(line.length, at + gone);
        ByteBuffer joined = ByteBuffer.allocate(at + piece.length + line.length - rest);
        return joined.put(line, 0, at)
                .put(piece)
                .put(line, rest, line.length - rest)
                .array();
    }

    private static Session session() {
        return new Session(new Hmac(new byte[] {1}), new Hmac(new byte[] {2}));
    }

    @Property
    void aLeaderTakesNobodyInForAnyLine(@ForAll("lines") byte[] first, @ForAll("lines") byte[] second) {
        assertThat(leader().step(first)).isNotInstanceOf(Step.Done.class);
        LeaderHandshake halfDone = leader();
        assertThat(halfDone.step(bytes(member().opening()))).isInstanceOf(Step.Answer.class);
        // A proof is bound to the nonces, and those are given here.
        byte[] proof = bytes(((Step.Done) member().step(bytes(answer().line()))).line());
        assertThat(halfDone.step(second) instanceof Step.Done).isEqualTo(proves(second, proof));
    }

    private static boolean proves(byte[] line, byte[] proof) {
        return Hello.proofIn(line).equals(Hello.proofIn(proof));
    }

    @Property
    void aMemberUnderstandsOrRefusesAnyLine(@ForAll("lines") byte[] line) {
        assertThat(member().step(line)).isNotNull();
        assertThat(KeyQuestion.read(line)).isNotNull();
        assertThat(Hello.read(line)).isNotNull();
    }

    @Property
    void aSealedLineIsOpenedWhenItIsWholeOnly(@ForAll("lines") byte[] line) {
        byte[] real = session().seal(Map.of("say", "hi"));
        Session receiver = new Session(new Hmac(new byte[] {2}), new Hmac(new byte[] {1}));

        assertThat(receiver.open(line).isPresent())
                .isEqualTo(Arrays.equals(line, Arrays.copyOf(real, real.length - 1)));
    }

    @Property
    void anyBytesAreCutIntoLines(@ForAll("lines") byte[] one, @ForAll("lines") byte[] other) {
        LineReader reader = new LineReader(400);
        List<byte[]> lines = new ArrayList<>();
        boolean goesOn =
                reader.read(ByteBuffer.wrap(one), lines::add) && reader.read(ByteBuffer.wrap(other), lines::add);

        assertThat(lines).allMatch(line -> line.length <= 400);
        assertThat(goesOn || one.length + other.length > 400).isTrue();
    }

    @Provide
    Arbitrary<Map<String, Object>> contents() {
        List<Map<String, Object>> real = new ArrayList<>();
        FactsTest.said().stream()
                .flatMap(said -> ToldFacts.write(said, text -> "digest").stream())
                .map(Fact::content)
                .forEach(real::add);
        FactsTest.orders().stream()
                .map(order -> OrderFacts.write(order).content())
                .forEach(real::add);
        real.add(new Turning(
                        "come again", Optional.of(JobEnd.of(JobEnd.Kind.LOST, "node-0", Optional.empty(), 75, "gone")))
                .line());
        Arbitrary<Map<String, Object>> some = Arbitraries.of(real);
        return Arbitraries.oneOf(changed(some), changed(changed(some)), changed(changed(changed(some))));
    }

    private static Arbitrary<Map<String, Object>> changed(Arbitrary<Map<String, Object>> contents) {
        return Combinators.combine(contents, Arbitraries.integers().between(0, 99), Arbitraries.of(STRANGERS))
                .as(FuzzedLinkTest::changed);
    }

    /** Of nested objects the inner one is changed as often as the whole. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> changed(Map<String, Object> content, int number, Object stranger) {
        Map<String, Object> copy = new LinkedHashMap<>(content);
        if (!copy.isEmpty()) {
            String name = new ArrayList<>(copy.keySet()).get(number % copy.size());
            if (number % 10 == 9) {
                copy.remove(name);
            } else if (copy.get(name) instanceof Map<?, ?> inner && number % 2 == 0) {
                copy.put(name, changed((Map<String, Object>) inner, number / 2, stranger));
            } else {
                copy.put(name, stranger);
            }
        }
        return copy;
    }

    @Property
    void factsAreUnderstoodOrPassedOver(@ForAll("contents") Map<String, Object> content) {
        Map<String, Object> arrived = overTheWire(content);
        Fact fact = new Fact(arrived);

        assertThat(ToldFacts.read(fact)).isNotNull();
        assertThat(OrderFacts.read(fact)).isNotNull();
        assertThat(Turning.read(arrived)).isNotNull();
        Map<String, Object> batch = BatchLine.of(new Batch(1, List.of(fact), 1, 2, 3, 4));
        assertThat(BatchLine.read(overTheWire(batch))).isPresent();
        batch.keySet().forEach(field -> {
            Map<String, Object> line = new LinkedHashMap<>(batch);
            line.put(field, arrived);
            assertThat(BatchLine.read(line)).isEmpty();
        });
    }

    /** As JSON has it: what cannot be sent does not arrive either. */
    private static Map<String, Object> overTheWire(Map<String, Object> content) {
        JsonReading reading = Json.read(bytes(Json.indented(content)));
        return reading instanceof JsonReading.Complete complete ? complete.content() : Map.of();
    }
}
