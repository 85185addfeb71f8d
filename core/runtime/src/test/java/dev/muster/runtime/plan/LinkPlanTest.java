package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.text.Secrets;
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

    private static final Secrets SECRETS = new Secrets(List.of());

    private static final LinkPlan MEETING = new LinkPlan(
            "auto",
            "default",
            Optional.empty(),
            Optional.of(new LinkPlan.Meeting(
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
        assertThat(PlanText.render(report(Optional.of(MEETING)), SECRETS)).contains("""

                Link between the launchers
                  Mode:      auto (default; needed)
                  This one:  node-1
                  Leader:    node-0 at gpu1
                  Ports:     20001, 20002, 20003 (of the job's id)
                  Key:       the job's id
                  Equal:     cards = 8
                  Equal:     engine = pytorch-gpu

                Processes""");
        assertThat(PlanJson.render(report(Optional.of(MEETING)), SECRETS))
                .contains("\"link\": {", "\"used\": true", "\"required\": true", "\"leaderHost\": \"gpu1\"", "20003");
    }

    @Test
    void whyThereIsNoneIsShown() {
        assertThat(PlanText.render(report(Optional.of(OFF)), SECRETS)).contains("""

                Link between the launchers
                  Mode:  off (--link)
                  Off:   --link=off
                """);
        assertThat(PlanJson.render(report(Optional.of(OFF)), SECRETS))
                .contains("\"used\": false", "\"why\": \"--link=off\"");
    }

    @Test
    void aJobOfOneNodeShowsNothingOfIt() {
        assertThat(PlanText.render(report(Optional.empty()), SECRETS)).doesNotContainIgnoringCase("link");
        assertThat(PlanJson.render(report(Optional.empty()), SECRETS)).doesNotContain("\"link\"");
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
