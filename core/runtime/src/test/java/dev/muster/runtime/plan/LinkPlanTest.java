package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a plan shows of the link between launchers. */
class LinkPlanTest {

    private static final LinkPlan MEETING = new LinkPlan(
            "auto",
            "default",
            Optional.empty(),
            Optional.of(new LinkPlan.Rendezvous(
                    "node-1",
                    "node-0",
                    Optional.of("gpu1"),
                    List.of(20_001, 20_002, 20_003),
                    "of the job's id",
                    "the job's id",
                    true,
                    new TreeMap<>(Map.of("cards", "8", "engine", "pytorch-gpu")))));

    private static final LinkPlan OFF = new LinkPlan("off", "--link", Optional.of("--link=off"), Optional.empty());

    @Test
    void leaderPortsKeyAndWhatMustBeEqualAreShown() {
        assertThat(Plans.text(report(Optional.of(MEETING)))).contains("""
                link:
                  mode: auto
                  origin: default
                  used: true
                  own: node-1
                  leader: node-0
                  leaderHost: gpu1
                  ports: 20001 20002 20003
                  portsOrigin: of the job's id
                  key: the job's id
                  required: true
                  equal:
                    cards: 8
                    engine: pytorch-gpu
                """);
        assertThat(Plans.json(report(Optional.of(MEETING))))
                .contains("\"link\": {", "\"used\": true", "\"required\": true", "\"leaderHost\": \"gpu1\"", "20003");
    }

    @Test
    void whyThereIsNoneIsShown() {
        assertThat(Plans.json(report(Optional.of(OFF)))).contains("\"used\": false", "\"why\": \"--link=off\"");
    }

    @Test
    void aJobOfOneNodeShowsNothingOfIt() {
        assertThat(Plans.text(report(Optional.empty()))).doesNotContainIgnoringCase("link");
        assertThat(Plans.json(report(Optional.empty()))).doesNotContain("\"link\"");
    }

    private static PlanReport report(Optional<LinkPlan> link) {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS).build();
        return new PlanReport(
                "test",
                "for tests",
                Duration.ofSeconds(15),
                List.of(new NodePlan(Plans.job(), Plans.node(), plan, link)),
                List.of(),
                Optional.empty());
    }
}
