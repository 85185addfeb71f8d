package dev.muster.runtime.inputs;

import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Where an input comes from. */
interface Source {

    /** Looks once; never waits. */
    ReadAttempt look();

    /** The key of the value. */
    String id();

    /** What messages call it, for example {@code rank table /user/config/jobstart_hccl.json}; may change with a look. */
    String subject();

    /** Who named it, for example {@code  (named by RANK_TABLE_FILE)}, or nothing. */
    default String origin() {
        return "";
    }

    /** When what was seen was written, for who waits for more; empty: there is nothing, or nobody knows. */
    default Optional<Instant> changed() {
        return Optional.empty();
    }

    /** What messages call an input that is a file or directory; its id may end with the path already, as one of several alike. */
    static String subject(String id, Path path) {
        String name = path.toString();
        String kind = id.endsWith(name) ? id.substring(0, id.length() - name.length()) : id;
        return (kind.replace('-', ' ').strip() + " " + Printable.escape(name)).strip();
    }
}
