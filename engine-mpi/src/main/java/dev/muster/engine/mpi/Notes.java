package dev.muster.engine.mpi;

import dev.muster.spi.Note;
import java.util.ArrayList;
import java.util.List;

/** Lines for the user, in order. */
final class Notes {

    private final List<Note> notes = new ArrayList<>();

    void info(String text) {
        notes.add(Note.info(text));
    }

    void warning(String text) {
        notes.add(Note.warning(text));
    }

    void add(Note note) {
        notes.add(note);
    }

    List<Note> all() {
        return List.copyOf(notes);
    }
}
