package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Settings;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanDocumentTest {

    @Test
    void showsEverything() throws IOException {
        PlanReport report = report(
                List.of(new NodePlan(Plans.job(), Plans.node(), Plans.rich(), Optional.empty())),
                List.of(
                        new Settings.Shown("grace", "15s", "default"),
                        new Settings.Shown("api-key", "******", "--api-key")));

        assertThat(Plans.json(report)).isEqualTo(resource("plan.json"));
    }

    @Test
    void unknownThingsAreNull() {
        Map<?, ?> node =
                firstNode(new NodePlan(Plans.job(), Plans.unknownNode(), Plans.of(Plans.task("a")), Optional.empty()));

        for (String key : List.of("index", "count", "planName", "name", "address")) {
            assertThat(node.containsKey(key)).isTrue();
            assertThat(node.get(key)).isNull();
        }
    }

    @Test
    void outcomesHaveAKind() {
        assertThat(firstNode(new NodePlan(Plans.job(), Plans.node(), Plans.of(Plans.task("a")), Optional.empty()))
                        .get("outcome"))
                .isEqualTo(Map.of("kind", "allTasks"));
    }

    @Test
    void aNodeThatFollowsTheLeaderSaysSo() {
        LaunchPlan follows = LaunchPlan.builder(Outcome.FOLLOWS_LEADER).build();
        assertThat(firstNode(new NodePlan(Plans.job(), Plans.node(), follows, Optional.empty()))
                        .get("outcome"))
                .isEqualTo(Map.of("kind", "followsLeader"));
    }

    @Test
    void whenAServiceServesIsSaidWhereItIsNotAtOnce() {
        LaunchPlan plan = Plans.of(
                ProcessSpec.service("sshd", Plans.launch("sshd.txt")).withReadyWhen(Condition.portOpen("h", 22)),
                ProcessSpec.service("ps", Plans.launch("ps.txt")));
        List<?> processes = (List<?>)
                Objects.requireNonNull(firstNode(new NodePlan(Plans.job(), Plans.node(), plan, Optional.empty()))
                        .get("processes"));

        assertThat(((Map<?, ?>) processes.get(0)).get("readyWhen")).isEqualTo("port 22 of h accepts connections");
        assertThat(((Map<?, ?>) processes.get(1)).containsKey("readyWhen")).isFalse();
    }

    @Test
    void showsNameAndPortsAndWhatIsKnownLater() {
        Map<?, ?> node = firstNode(new NodePlan(Plans.job(), Plans.node(), Plans.lively(), Optional.empty()));
        Map<?, ?> process = (Map<?, ?>) list(node, "processes").get(0);

        assertThat(node.get("planName")).isEqualTo("ps-0");
        assertThat(list(node, "ports"))
                .isEqualTo(List.of(
                        Map.of(
                                "port",
                                6666L,
                                "purpose",
                                "the rendezvous",
                                "origin",
                                "--master-port",
                                "fix",
                                "Give another --master-port"),
                        Map.of("port", 7000L, "purpose", "ps 0", "origin", "TF_PS_HOSTS", "fix", "Wait")));
        assertThat(process.get("mayEnd")).isEqualTo(true);
        assertThat(process.get("command")).isEqualTo(List.of("train", "--url=tcp://h:<free port>", "--token=******"));
        assertThat(process.get("environment"))
                .isEqualTo(Map.of(
                        "set",
                        Map.of(
                                "API_KEY", "******",
                                "HOSTS", "@<private temporary directory>/hostfile",
                                "MASTER_PORT", "<free port>"),
                        "remove",
                        List.of()));
    }

    private static Map<?, ?> firstNode(NodePlan node) {
        String json = Plans.json(report(List.of(node), List.of()));
        JsonReading reading = Json.read(json);
        List<?> nodes = (List<?>) Objects.requireNonNull(
                ((JsonReading.Complete) reading).content().get("nodes"));
        return (Map<?, ?>) nodes.get(0);
    }

    private static List<?> list(Map<?, ?> node, String key) {
        return (List<?>) Objects.requireNonNull(node.get(key));
    }

    private static PlanReport report(List<NodePlan> nodes, List<Settings.Shown> settings) {
        return new PlanReport("ascend", "MA_VJ_NAME is set", Duration.ofSeconds(15), nodes, settings, Optional.empty());
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(PlanDocumentTest.class.getResourceAsStream(name))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
