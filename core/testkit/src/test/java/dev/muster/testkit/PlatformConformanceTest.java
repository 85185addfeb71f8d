package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.spi.Evidence;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The kit tests platforms that read the number of nodes from NODES in right and wrong ways. */
class PlatformConformanceTest {

    /** How a platform reads the number of nodes. */
    private interface Count {
        String of(Evidence evidence) throws PlanException;
    }

    private static PlanException wrong() {
        return new PlanException(PlanException.Kind.CONFIGURATION, "NODES is no number. Set it");
    }

    private static String careful(Evidence evidence) throws PlanException {
        String nodes = evidence.environment().getOrDefault("NODES", "");
        if (!nodes.matches("[1-9]")) {
            throw wrong();
        }
        return nodes;
    }

    @Test
    void aPlatformThatRefusesWhatItDoesNotKnowIsRight() {
        assertThatCode(() -> check("PLACE", "test", PlatformConformanceTest::careful))
                .doesNotThrowAnyException();
    }

    @Test
    void oddPlatformsAreFound() {
        assertOdd("does not recognise two nodes", "NOWHERE", "test", PlatformConformanceTest::careful);
        assertOdd("recognises its place by", "SLURM_JOB_ID", "test", PlatformConformanceTest::careful);
        assertOdd("its contract is that of other", "PLACE", "other", PlatformConformanceTest::careful);
        assertOdd("it tells {nodes=3}, not {nodes=2}", "PLACE", "test", evidence -> "3");
        assertOdd(
                "two nodes without NODES it tells another [nodes]: {nodes=1}",
                "PLACE",
                "test",
                evidence -> evidence.environment().getOrDefault("NODES", "1"));
        assertOdd(
                "NumberFormatException",
                "PLACE",
                "test",
                evidence -> "" + Integer.parseInt(evidence.environment().getOrDefault("NODES", "")));
    }

    private static void assertOdd(String seen, String sign, String contract, Count count) {
        assertThatThrownBy(() -> check(sign, contract, count))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("is broken", "seen:", seen, "fix:");
    }

    /** Calls test methods directly, since this class tests the kit itself. */
    @SuppressWarnings("JUnitMethodInvoked")
    private static void check(String sign, String contract, Count count) throws PlanException {
        Conformance conformance = new Conformance(new Counting(sign, contract, count));
        conformance.recognisesItsPlacesOnly();
        conformance.tellsWhatIsSo();
        conformance.tellsNothingElseWhereAVariableIsGone();
        assertThat(conformance.platform().name()).isEqualTo("test");
    }

    private static final class Conformance extends PlatformConformance {

        private final Platform platform;

        Conformance(Platform platform) {
            this.platform = platform;
        }

        @Override
        protected String platformName() {
            return platform.name();
        }

        @Override
        protected Platform platform() {
            return platform;
        }

        @Override
        protected List<RecordedEvidence> recordings() {
            return List.of(RecordedEvidence.of(
                    "two nodes", Map.of("PLACE", "here", "SLURM_JOB_ID", "7", "NODES", "2"), Map.of("nodes", "2")));
        }
    }

    private record Counting(String mark, String contract, Count count) implements Platform {

        @Override
        public String name() {
            return "test";
        }

        @Override
        public String title() {
            return "a platform for tests";
        }

        @Override
        public List<String> variables() {
            return List.of(mark, "NODES");
        }

        @Override
        public Optional<String> sign(Evidence evidence) {
            return Optional.ofNullable(evidence.environment().get(mark));
        }

        @Override
        public PlatformInfo read(Evidence evidence) throws PlanException {
            return PlatformInfo.of(PlatformContract.named(contract))
                    .option("nodes", new OptionValue(count.of(evidence), "NODES"))
                    .build();
        }
    }
}
