package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Eight ranks print as fast as they can, in blocks that end anywhere in a line. With {@code -Dmuster.repeat=50} the test checks
 * millions of lines.
 */
@Isolated("It keeps all processors busy.")
@ExtendWith(Scenes.class)
class FloodIT {

    private static final int RANKS = 8;
    private static final int LINES = 10_000;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String PRINT =
            "exec seq -f \"of $me: line %.0f of a flood, with some more words END of $me\" " + LINES;
    private static final Pattern LINE =
            Pattern.compile("of (\\d): line (\\d+) of a flood, with some more words END of (\\d)");
    private static final Pattern OWN = Pattern.compile("(\\[node \\d] )?muster: ");

    @DisplayName("lines are whole and in order when eight ranks flood a pipe into which Muster also prints")
    @Tag("repeated")
    @Test
    void linesAreWholeAndInOrder(Scene scene) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            Result result = scene.job(RANKS)
                    .with(scene.script("rank", PRINT))
                    .after("exec 2>&1")
                    .start()
                    .await(LONG);
            check(result, Pattern.compile("\\[rank (\\d)] "));
        }
    }

    @DisplayName("lines are whole and in order when the launchers of a simulated job flood a pipe")
    @Tag("repeated")
    @Test
    void linesOfSimulatedNodesAreWholeAndInOrder(Scene scene) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            Result result = scene.muster("simulate", "--engine", "ascend", "--nodes", "2", "--cards", "4", "--")
                    .with(scene.script("rank", PRINT))
                    .after("exec 2>&1")
                    .start()
                    .await(LONG);
            check(result, Pattern.compile("\\[node \\d[^]]*] \\[rank (\\d)] "));
        }
    }

    /** @param prefix of a rank's line; where it names the rank, that is its first group */
    private static void check(Result result, Pattern prefix) {
        assertThat(result.exitCode()).as(result.toString()).isZero();
        int[] last = new int[RANKS];
        List<String> torn = new ArrayList<>();
        for (String line : result.outputLines()) {
            Matcher named = prefix.matcher(line);
            String text = named.lookingAt() ? line.substring(named.end()) : line;
            Matcher whole = LINE.matcher(text);
            if (whole.matches()) {
                int rank = Integer.parseInt(whole.group(1));
                boolean isOwn = whole.group(3).equals(whole.group(1))
                        && (prefix.pattern().isEmpty()
                                || (named.lookingAt() && named.group(1).equals(whole.group(1))));
                if (!isOwn || Integer.parseInt(whole.group(2)) != last[rank] + 1) {
                    torn.add(line + " (after line " + last[rank] + ")");
                }
                last[rank] = Integer.parseInt(whole.group(2));
            } else if (!OWN.matcher(line).lookingAt()) {
                torn.add(line);
            }
        }
        assertThat(torn).as("torn or misplaced lines").isEmpty();
        assertThat(last).containsOnly(LINES);
    }
}
