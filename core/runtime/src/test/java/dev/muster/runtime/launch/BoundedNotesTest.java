package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedNotesTest {

    private static LaunchPlan plan(List<Note> notes) {
        return LaunchPlan.builder(Outcome.ALL_TASKS).notes(notes).build();
    }

    @Test
    void whatAnybodyReadsStaysAsItIs() {
        LaunchPlan plan = plan(List.of(Note.info("a"), Note.warning("b".repeat(4096))));

        assertThat(BoundedNotes.in(plan)).isSameAs(plan);
    }

    @Test
    void aTextWithoutEndIsCutAndSaysSo() {
        List<Note> notes = BoundedNotes.in(plan(List.of(Note.warning("x".repeat(5_000_000)), Note.info("next"))))
                .notes();

        assertThat(notes.get(0).isWarning()).isTrue();
        assertThat(notes.get(0).text())
                .startsWith("x".repeat(4096) + "... (5000000 characters, SHA-256 ")
                .hasSizeLessThan(4200);
        assertThat(notes.get(1)).isEqualTo(Note.info("next"));
    }

    @Test
    void notesWithoutNumberAreCounted() {
        List<Note> notes = BoundedNotes.in(plan(Collections.nCopies(5000, Note.info("again"))))
                .notes();

        assertThat(notes)
                .hasSize(101)
                .last()
                .isEqualTo(Note.warning("the engine has 4900 notes more, which are not shown"));
    }
}
