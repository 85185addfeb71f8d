package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to launchers and to what they tell each other, the job ends, and it ends once. */
@Tag("one-jdk")
class OneFateTest {

    private static final int SEEDS_TOGETHER = 500;
    /** The torture says how many times as many it wants. */
    private static final int BLOCKS = 4 * Integer.getInteger("muster.times", 1);

    static LongStream blocks() {
        return LongStream.range(0, BLOCKS).map(block -> block * SEEDS_TOGETHER);
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void everybodyEndsWithOneVerdict(long first) {
        for (long seed = first; seed < first + SEEDS_TOGETHER; seed++) {
            RandomJob job = new RandomJob(seed);
            job.run();
            check(job);
        }
    }

    /** Its connection breaks between the word that all have succeeded and the one that it may leave. */
    @Test
    void whoKnowsThatAllHaveSucceededLeavesWithoutItsLeader() {
        RandomJob job = new RandomJob(34919);
        job.run();
        check(job);
    }

    private static void check(RandomJob job) {
        for (ActingLauncher launcher : job.launchers()) {
            if (launcher.station().isAlive() || launcher.hasEnded()) {
                assertThat(launcher.hasEnded()).as("%s: %s ends", job, launcher).isTrue();
            }
            assertThat(twice(launcher.heard()))
                    .as("%s: heard twice by %s", job, launcher)
                    .isEmpty();
        }
        assertThat(job.verdictsOfTheLinked()).as("%s: verdicts", job).hasSizeLessThanOrEqualTo(1);
        assertThat(job.unfoundedLosses())
                .as("%s: lost though all were there", job)
                .isEmpty();
        assertThat(job.earlierThanNamed())
                .as("%s: earlier than the one that is named", job)
                .isEmpty();
    }

    private static Set<Object> twice(List<Heard> heard) {
        Set<Object> seen = new HashSet<>();
        Set<Object> twice = new HashSet<>();
        for (Heard event : heard) {
            Object identity =
                    event instanceof Heard.ProcessIs process ? process.process() + process.state() : event.getClass();
            if (!seen.add(identity)) {
                twice.add(identity);
            }
        }
        return twice;
    }
}
