package dev.muster.spi;

import java.util.Optional;

/**
 * A file that processes read, written whole: a temporary file beside it, then a rename. It is written before anything starts,
 * or, when its text holds a value that is known later, before the first process starts that names it.
 *
 * @param id referred to by {@link Value#pathOf}
 * @param directory absolute; empty, or not writable: a private temporary directory of this run, with a warning in the
 *     latter case
 * @param name the file's name, without directory
 * @param text written as UTF-8
 * @since 0.1
 */
@Stability(stable = true)
public record GeneratedFile(String id, Optional<String> directory, String name, Value text) {

    /** A file whose content is known now. */
    public GeneratedFile(String id, Optional<String> directory, String name, String content) {
        this(id, directory, name, Value.of(content));
    }

    /** The content, where it is known now; else its known parts. */
    public String content() {
        Optional<String> all = text.known();
        if (all.isPresent()) {
            return all.get();
        }
        StringBuilder known = new StringBuilder();
        text.leaves().forEach(leaf -> leaf.known().ifPresent(known::append));
        return known.toString();
    }

    /** The file as a value, known once it is written. */
    public Value path() {
        return Value.pathOf(id);
    }
}
