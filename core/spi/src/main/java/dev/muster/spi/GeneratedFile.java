package dev.muster.spi;

import java.util.Optional;

/**
 * A file that processes read. The runtime writes a temporary file beside it and renames that, so a reader never sees a part. It writes
 * before anything starts or, if the text holds a value that is known later, before the first process that names the file.
 *
 * @param id referred to by {@link Value#pathOf}
 * @param directory absolute; empty: a private temporary directory of this attempt. If the directory is not writable, the runtime takes
 *     that private directory too, and warns
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

    /** The content if it is known now; else its known parts. */
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
