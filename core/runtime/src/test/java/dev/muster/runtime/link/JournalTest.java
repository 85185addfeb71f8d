package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JournalTest {

    private final Journal journal = new Journal();

    private static Fact fact(String text) {
        return new Fact(Map.of("is", text));
    }

    @Test
    void sendsEachFactOnceUnlessToldAgain() {
        journal.add(fact("a"));
        journal.add(fact("b"));

        assertThat(journal.nextNumber()).isEqualTo(1);
        assertThat(journal.next()).containsExactly(fact("a"), fact("b"));
        assertThat(journal.next()).isEmpty();
        assertThat(journal.nextNumber()).isEqualTo(3);

        journal.again();
        assertThat(journal.next()).containsExactly(fact("a"), fact("b"));
    }

    @Test
    void keepsWhatWasNotSeen() {
        journal.add(fact("a"));
        journal.add(fact("b"));
        journal.next();

        assertThat(journal.seen(1)).isTrue();
        journal.again();

        assertThat(journal.nextNumber()).isEqualTo(2);
        assertThat(journal.next()).containsExactly(fact("b"));
        assertThat(journal.seen(2)).isTrue();
        assertThat(journal.isSeen()).isTrue();
    }

    @Test
    void believesNobodyWhoHasSeenWhatWasNeverSaid() {
        journal.add(fact("a"));
        journal.next();

        assertThat(journal.seen(2)).isFalse();
        assertThat(journal.seen(-1)).isFalse();
        assertThat(journal.seen(Long.MAX_VALUE)).isFalse();
        assertThat(journal.isSeen()).isFalse();
    }

    @Test
    void aPieceHoldsNoMoreThanFitsIntoALine() {
        Fact large = fact("x".repeat(Journal.PIECE / 3));
        for (int count = 0; count < 7; count++) {
            journal.add(large);
        }

        int pieces = 0;
        while (journal.hasNext()) {
            List<Fact> piece = journal.next();
            assertThat(piece.stream()
                            .mapToInt(fact -> JsonSize.of(fact.content()))
                            .sum())
                    .isLessThanOrEqualTo(Journal.PIECE);
            pieces++;
        }
        assertThat(pieces).isEqualTo(4);
    }

    @Test
    void aFactThatIsTooLargeForAPieceIsSentAlone() {
        journal.add(fact("x".repeat(Journal.PIECE + 1)));
        journal.add(fact("a"));

        assertThat(journal.next()).hasSize(1);
        assertThat(journal.next()).containsExactly(fact("a"));
    }
}
