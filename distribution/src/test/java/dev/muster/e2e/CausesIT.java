package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A rank in Python fails, under every engine: the verdict names the right rank, how it ended, and its own words. */
@OnEveryEngine
class CausesIT {

    /** How many lines a verdict may have. */
    private static final int MOST_LINES = 25;

    static final class CausesOfEngine implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            EngineUnderTest engine = EngineInvocations.engine(context);
            return Repetitions.cases(engine, EngineUnderTest.ALL, List.of(FailureCause.values())).stream()
                    .map(Arguments::of);
        }
    }

    /** The verdict must not take what the other ranks print in the stop for the cause. */
    private static final String OTHERS = """
            if [ $me != 1 ]; then
              trap 'echo "RuntimeError: connection closed by peer"; exit 1' TERM
              echo "rank $me trains"
              : > $scene/trains-$me
              sleep 600 & wait
            fi
            """;

    @Tag("repeated")
    @DisplayName("a verdict names the right rank, the right cause and its words")
    @ParameterizedTest
    @ArgumentsSource(CausesOfEngine.class)
    void aRankFails(FailureCause cause, Scene scene) {
        Components.require("python3");
        Scene.write(scene.beside("cause.py"), cause.source());
        EngineUnderTest engine = scene.engine();
        // The other ranks print first: ranks that share a pipe could mix their words in one line.
        String lastOther = engine.atMost(3) == 3 ? "2" : "0";
        String afterOthers =
                "until [ -e $scene/trains-0 ] && [ -e $scene/trains-" + lastOther + " ]; do sleep 0.01; done";
        Result result = scene.job(engine.atMost(3))
                .with(scene.script("rank", OTHERS, afterOthers, "exec python3 $scene/cause.py"))
                .run()
                .endedWith(cause.exitCode())
                .says(cause.words());
        assertVerdict(result, engine.failing(1), cause.exitCode());
        if (engine.startsProcessesItself()) {
            // Else all ranks print into one pipe, without a prefix: the verdict may show lines of other ranks.
            result.doesNotSay("closed by peer");
        }
    }

    /** The verdict is short. Its first and last lines name the rank. */
    private static void assertVerdict(Result result, String rank, int exitCode) {
        List<String> lines = assertShort(result);
        assertThat(lines.get(0)).matches("muster: first failure: " + rank + "\\b.*");
        assertThat(lines.get(lines.size() - 1)).matches("muster: exit " + exitCode + ": " + rank + " \\(pid.*");
    }

    /** The lines of the verdict. */
    static List<String> assertShort(Result result) {
        List<String> lines = result.messages().lines().toList();
        int start = 0;
        while (start < lines.size() && !lines.get(start).startsWith("muster: first failure: ")) {
            start++;
        }
        List<String> verdict = lines.subList(start, lines.size());
        assertThat(verdict).as("verdict of: %s", result).hasSizeBetween(4, MOST_LINES);
        return verdict;
    }
}
