package dev.muster.e2e;

import static dev.muster.e2e.RankTables.pod;
import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rank tables whose ranks would wait for each other for ever. The refusal names file, field, value and remedy. RefusedTablesTest of the
 * engine has many more. Here is one of each kind and format.
 */
@ExtendWith(Scenes.class)
class TableRefusalsIT {

    private static final String GOOD = RankTables.templateTwo(pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));

    private static final String GOOD_ONE = RankTables.templateOne(
            server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"), server("192.168.0.26", "0 10.0.0.3", "1 10.0.0.4"));

    /** A wrong table and the words that its message must have. */
    record Wrong(String name, String table, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Wrong> tables() {
        String device = "/group_list/0/instance_list/0/devices/1/";
        return Stream.of(
                wrong(
                        "more devices declared than listed",
                        changed("\"device_count\": \"2\"", "\"device_count\": \"3\""),
                        "/group_list/0/device_count",
                        "3",
                        "2"),
                wrong(
                        "an address that is a name",
                        changed("10.0.0.2", "card-1.example"),
                        device + "device_ip",
                        "\"card-1.example\" is no IP address"),
                wrong("nothing but a status", "{\"status\": \"completed\"}", "group_list"),
                wrong(
                        "a gap in the ranks",
                        GOOD_ONE.replace("\"rank_id\": \"3\"", "\"rank_id\": \"4\""),
                        "rank_id",
                        "3"));
    }

    private static Wrong wrong(String name, String table, String... words) {
        return new Wrong(name, table, List.of(words));
    }

    private static String changed(String from, String to) {
        assertThat(GOOD).contains(from);
        return GOOD.replace(from, to);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void aWrongTableIsRefused(Wrong wrong, Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", wrong.table());
        Result result = checkAnswer(scene, node, node.muster(scene));
        result.says(node.table().toString()).says(wrong.words().toArray(String[]::new));
    }

    /** Asserts a refusal with 65. The launcher has made and started nothing. */
    private static Result check(Scene scene, ModelArtsNode node, Invocation launcher) {
        return check(scene, node, launcher, Invocation::run);
    }

    /** The same check in a JVM that many calls share. */
    private static Result checkAnswer(Scene scene, ModelArtsNode node, Invocation launcher) {
        return check(scene, node, launcher, Invocation::answer);
    }

    private static Result check(
            Scene scene, ModelArtsNode node, Invocation launcher, Function<Invocation, Result> way) {
        Probe probe = Probe.in(scene);
        Result result = way.apply(launcher.with(probe.program())).endedWith(65).doesNotSay("exception", "\tat ");
        assertThat(result.messages().lines().count()).as("lines of: %s", result).isBetween(1L, 3L);
        assertThat(probe.wasStarted()).isFalse();
        assertThat(Scene.tree(node.mount())).containsExactly("", "log");
        return result;
    }

    @Test
    void aPodThatIsNotInTheTableIsRefused(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-7", GOOD);
        checkAnswer(scene, node, node.muster(scene)).says("job-7", "MA_CURRENT_INSTANCE_NAME", "job-0");
    }

    @Test
    void severalServersAndNoWayToTellWhichIsMineAreRefused(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", GOOD_ONE);
        checkAnswer(scene, node, node.muster(scene)).says("192.168.0.25", "192.168.0.26", "MA_CURRENT_HOST_IP");
        checkAnswer(scene, node, node.muster(scene).set("MA_CURRENT_HOST_IP", "192.168.0.99"))
                .says("192.168.0.99", "MA_CURRENT_HOST_IP", "192.168.0.26");
    }

    @Test
    void anEnormousOrBottomlessTableIsRefusedQuickly(Scene scene) {
        ModelArtsNode node =
                ModelArtsNode.of(scene, "job-0", "{\"status\": \"completed\", \"x\": \"" + "y".repeat(17 << 20));
        check(scene, node, node.muster(scene)).says("MB");
        Scene.write(node.table(), "{\"status\": \"completed\", \"x\": " + "[".repeat(200_000));
        check(scene, node, node.muster(scene)).says("64");
    }

    @Test
    void controlCharactersInATableCannotGarbleTheMessage(Scene scene) {
        String evil = GOOD.replace("job-0", "job-\\n\\u001b[31mmuster: all is well-0");
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", evil);
        Result result = checkAnswer(scene, node, node.muster(scene)).says("job-");
        assertThat(result.messages()).doesNotContain("\u001b");
    }
}
