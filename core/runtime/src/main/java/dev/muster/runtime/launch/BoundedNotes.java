package dev.muster.runtime.launch;

import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import java.util.ArrayList;
import java.util.List;

/** What an engine wants users to know, as far as anybody reads it: plugins may write any amount. */
final class BoundedNotes {

    private static final int LONGEST = LoadedEngine.LONGEST_WORDS;
    private static final int MOST = 100;

    private BoundedNotes() {}

    /** The same plan, whose notes have an end; whatever is left out is said to be. */
    static LaunchPlan in(LaunchPlan plan) {
        List<Note> notes = plan.notes();
        if (notes.size() <= MOST && notes.stream().noneMatch(note -> note.text().length() > LONGEST)) {
            return plan;
        }
        List<Note> bounded = new ArrayList<>();
        notes.stream()
                .limit(MOST)
                .forEach(note -> bounded.add(new Note(note.isWarning(), Shortened.to(LONGEST, note.text()))));
        if (notes.size() > MOST) {
            bounded.add(Note.warning("the engine has " + (notes.size() - MOST) + " notes more, which are not shown"));
        }
        return new LaunchPlan(
                plan.name(),
                plan.directories(),
                plan.files(),
                plan.ports(),
                plan.processes(),
                plan.outcome(),
                bounded,
                plan.nodes(),
                plan.launchers(),
                plan.equal());
    }
}
