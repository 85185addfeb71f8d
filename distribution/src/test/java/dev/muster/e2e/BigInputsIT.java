package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Inputs as large as real ones, and larger: they fit into the launcher's memory, or one sentence refuses them. */
@Order(1)
@ExtendWith(Scenes.class)
class BigInputsIT {

    private static final int CARDS = 100_000;
    private static final int PER_SERVER = 8;
    private static final int NODES = 1024;

    private static String list(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String address(int first, int number) {
        return first + "." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    private static String device(int rank, boolean hasRank) {
        return "{\"device_id\": \"" + rank % PER_SERVER + "\", \"device_ip\": \"" + address(10, rank) + "\""
                + (hasRank ? ", \"rank_id\": \"" + rank + "\"}" : "}");
    }

    private static String templateTwo(int cards) {
        int pods = cards / PER_SERVER;
        return "{\"status\": \"completed\", \"group_count\": \"1\", \"group_list\": [{\"device_count\": \"" + cards
                + "\", \"instance_count\": \"" + pods + "\", \"instance_list\": "
                + list(
                        pods,
                        pod -> "{\"pod_name\": \"job-" + pod + "\", \"server_id\": \"" + address(172, pod)
                                + "\", \"devices\": "
                                + list(PER_SERVER, card -> device(pod * PER_SERVER + card, false)) + "}")
                + "}]}";
    }

    private static String templateOne(int cards) {
        int servers = cards / PER_SERVER;
        return "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"" + servers
                + "\", \"server_list\": "
                + list(
                        servers,
                        server -> "{\"server_id\": \"" + address(172, server) + "\", \"device\": "
                                + list(PER_SERVER, card -> device(server * PER_SERVER + card, true)) + "}")
                + "}";
    }

    @Tag("repeated")
    @OnEveryJdk
    @DisplayName("a job of 100,000 cards starts, with rank tables of both templates; the JDKs share the templates")
    void aHundredThousandCardsStart(Scene scene) {
        List<Consumer<Scene>> templates =
                List.of(BigInputsIT::checkStartsByTemplateTwo, BigInputsIT::checkStartsByTemplateOne);
        scene.jdk().share(templates).forEach(template -> template.accept(scene));
    }

    private static void checkStartsByTemplateTwo(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-3", templateTwo(CARDS));
        node.muster(scene, "--link", "off").with(probe.program()).run().endedWith(0);
        assertThat(probe.rank(24).environment()).containsEntry("RANK_SIZE", "100000");
        assertThat(node.convertedTable()).content().contains(device(CARDS - 1, true));
    }

    private static void checkStartsByTemplateOne(Scene scene) {
        // Indented for people: the white space alone exceeds the limit.
        String spaced = templateOne(CARDS).replace(", ", ",\n" + " ".repeat(50));
        assertThat(spaced).hasSizeGreaterThan(17_000_000);
        Scene.write(scene.beside("one.json"), spaced);
        scene.muster("--engine", "ascend", "--link", "off")
                .with("--rank-table", scene.beside("one.json").toString(), "--", "/bin/true")
                .set("XDL_IP", address(172, 12_499))
                .run()
                .endedWith(0)
                .says("8 ranks succeeded");
    }

    @Test
    @DisplayName("the plans of 1,024 nodes with eight cards each are printed")
    void theNodesOfABigJobArePlanned(Scene scene) {
        Scene.write(scene.beside("one.json"), templateOne(NODES * PER_SERVER));
        String json = scene.muster(
                        "plan", "--engine", "ascend", "--platform", "none", "--all-nodes", "--format", "json")
                .with("--rank-table", scene.beside("one.json").toString(), "--nodes", Integer.toString(NODES))
                .with("--node-index", "5")
                .with("--", "/bin/true")
                .run()
                .endedWith(0)
                .output();
        assertOnce(json, "\"rank\": 8191,", "\"index\": 1023,", "\n}\n");
    }

    @Test
    @DisplayName("the plans of 512 TensorFlow workers are short, although each worker gets the list of all")
    void theWorkersOfABigJobArePlanned(Scene scene) {
        String page = tensorFlow(scene, 512, "plan", "--all-nodes", "--node-index", "0", "-o", "tf-config=workers")
                .start()
                .await(Training.LONG)
                .endedWith(0)
                .output();
        assertOnce(page, "Plan of node 0 of 512\n", "Plan of node 511 of 512\n", "- id: worker-511\n");
        assertThat(page.length()).isLessThan(32 << 20);
        assertThat(page).contains(" characters; --format json has all)");
    }

    @Test
    @DisplayName(
            "a TensorFlow job whose lists are longer than Linux takes is refused with the limit, nothing is started")
    void listsThatNoProcessCanBeGivenAreRefused(Scene scene) {
        tensorFlow(scene, 4096, "--node-index", "0")
                .run()
                .endedWith(78)
                .says("environment variable TF_CONFIG is ", "Linux allows 131071 per variable");
        assertThat(scene.logs()).doesNotExist();
    }

    /** A job with a ps and a worker on each node. */
    private static Invocation tensorFlow(Scene scene, int nodes, String... words) {
        String hosts =
                IntStream.range(0, nodes).mapToObj(node -> address(10, node)).collect(Collectors.joining(","));
        return scene.muster(words)
                .with("--engine", "tensorflow-ps", "-o", "shape=node", "--platform", "none", "--job-id", scene.jobId())
                .with("--nodes", Integer.toString(nodes), "--hosts", hosts, "--", "/bin/true");
    }

    /** A failure shows only the missing word: the text has tens of megabytes. */
    private static void assertOnce(String text, String... words) {
        for (String word : words) {
            int first = text.indexOf(word);
            assertThat(first >= 0 && text.indexOf(word, first + 1) < 0).as(word).isTrue();
        }
    }

    private static final String START = "{\"status\": \"completed\", \"server_list\": [";

    @Tag("repeated")
    @OnEveryJdk
    @DisplayName("a rank table that would fill the memory is refused; the JDKs share the cases")
    void whatIsTooMuchIsRefused(Scene scene) {
        List<Supplier<String>> tables = List.of(
                () -> START + "{\"a\":0},".repeat(1_900_000) + "{}]}",
                () -> START + "[],".repeat(5_000_000) + "{}]}",
                () -> "{\"status\": \"completed\""
                        + list(800_000, number -> "\"key" + number + "\":0").replace('[', ','));
        scene.jdk().share(tables).forEach(table -> refused(scene, table.get(), "more than there is room for"));
    }

    @Test
    @DisplayName("a rank table with megabytes of empty entries, or with one text of megabytes, is refused")
    void whatIsTooLongIsRefused(Scene scene) {
        refused(scene, START + "{},".repeat(1_000_000) + "{}]}", "/server_list/0/server_id: server_id is missing");
        refused(scene, "{\"status\": \"completed\", \"x\": \"" + "y".repeat(15_000_000) + "\"}", "65536");
    }

    @Test
    @DisplayName("an id of 200 characters starts, one more is refused")
    void anIdMayBeAsLongAsFileNamesOfItFit(Scene scene) {
        Probe probe = Probe.in(scene);
        named(scene, "i".repeat(201), probe).answer().endedWith(64).says("--job-id", "at most 200");
        scene.muster("--engine", "ascend", "--platform", "none", "--", probe.program())
                .set("MUSTER_JOB_ID", "i".repeat(201))
                .answer()
                .endedWith(78)
                .says("MUSTER_JOB_ID", "at most 200");
        assertThat(probe.wasStarted()).isFalse();
        assertThat(scene.logs()).doesNotExist();
        Result result = named(scene, "i".repeat(200), probe).run().endedWith(0);
        assertThat(result.messages()).doesNotContain("cannot");
        assertThat(scene.logs().resolve("i".repeat(200) + "-proc-rank-0-device-0.txt"))
                .exists();
    }

    private static Invocation named(Scene scene, String id, Probe probe) {
        return scene.muster("--engine", "ascend", "--platform", "none", "--job-id", id, "--", probe.program());
    }

    private static void refused(Scene scene, String table, String why) {
        Scene.write(scene.beside("table.json"), table);
        Result result = scene.muster("--engine", "ascend", "--platform", "none", "--input-timeout", "0s")
                .with("--rank-table", scene.beside("table.json").toString(), "--", "/bin/true")
                .run()
                .says(scene.beside("table.json").toString(), why)
                .doesNotSay("OutOfMemory", "\tat ");
        assertThat(result.exitCode()).as(result.toString()).isIn(65, 75);
        assertThat(result.messages().lines()).hasSizeBetween(1, 2);
    }
}
