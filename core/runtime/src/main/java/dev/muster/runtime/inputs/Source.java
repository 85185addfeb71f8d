package dev.muster.runtime.inputs;

import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Where an input comes from. */
interface Source {

    /** Looks once; never waits. */
    ReadAttempt read();

    /** The key of the value. */
    String id();

    /** What messages call it, for example {@code rank table /user/config/jobstart_hccl.json}; may change with a look. */
    String subject();

    /** Who named it, for example {@code  (named by RANK_TABLE_FILE)}, or nothing. */
    default String origin() {
        return "";
    }

    /** When the content was written, for users who wait; empty: unknown. */
    default Optional<Instant> changed() {
        return Optional.empty();
    }

    /** The name of a file or directory in messages. The input's id may already end with the path, if there are several of a kind. */
    static String subject(String id, Path path) {
        String name = path.toString();
        String kind = id.endsWith(name) ? id.substring(0, id.length() - name.length()) : id;
        return (kind.replace('-', ' ').strip() + " " + Printable.escape(name)).strip();
    }
}
