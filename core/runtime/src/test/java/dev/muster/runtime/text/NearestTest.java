package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NearestTest {

    private static final List<String> ENGINES = List.of("tensorflow-ps", "ascend", "mpi", "pytorch-gpu");

    @Test
    void putsTheNearestNameFirst() {
        assertThat(Nearest.order("asend", ENGINES)).startsWith("ascend").containsExactlyInAnyOrderElementsOf(ENGINES);
    }

    @Test
    void putsEquallyNearNamesInAlphabeticalOrder() {
        assertThat(Nearest.order("x", List.of("c", "a", "b"))).containsExactly("a", "b", "c");
    }

    @Test
    void suggestsWhatSomebodyProbablyMeant() {
        assertThat(Nearest.suggestion("asend", ENGINES)).isEqualTo(" (did you mean ascend?)");
        assertThat(Nearest.of("tensorflow", ENGINES)).contains("tensorflow-ps");
        assertThat(Nearest.of("--link-port-range", List.of("--link", "--link-port", "--job")))
                .contains("--link-port");
    }

    @Test
    void suggestsNothingForSomethingElse() {
        assertThat(Nearest.suggestion("kubernetes", ENGINES)).isEmpty();
        assertThat(Nearest.of("anything", List.of())).isEmpty();
    }

    @Test
    void findsANameThatIsKnown() {
        assertThat(Nearest.of("mpi", ENGINES)).contains("mpi");
    }

    @Test
    void copesWithAnEmptyName() {
        assertThat(Nearest.order("", ENGINES)).startsWith("mpi");
    }

    @Test
    @Timeout(10)
    void whatIsFarTooLongIsComparedWithNothing() {
        List<String> programs =
                IntStream.range(0, 3000).mapToObj(each -> "program-" + each).toList();

        assertThat(Nearest.suggestion("x".repeat(70_000), programs)).isEmpty();
    }
}
