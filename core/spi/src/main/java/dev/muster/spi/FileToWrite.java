package dev.muster.spi;

import java.util.Optional;

/**
 * A file that processes read, written whole: a temporary file beside it, then a rename.
 *
 * @param id referred to by {@link Value.PathOf}
 * @param directory absolute; empty, or not writable: a private temporary directory of this run, with a warning in the
 *     latter case
 * @param name the file's name, without directory
 * @param content written as UTF-8
 * @since 0.1
 */
public record FileToWrite(String id, Optional<String> directory, String name, String content) {

    /** The file as a value, known once it is written. */
    public Value path() {
        return new Value.PathOf(id);
    }
}
