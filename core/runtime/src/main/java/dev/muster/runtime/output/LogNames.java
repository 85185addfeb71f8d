package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the open log files of a run where they have lost their names, and says how often to look for them. */
final class LogNames {

    private static final long LEAST = Duration.ofMillis(100).toNanos();

    /** A thousand logs that are written all the time take a thousand looks a second, not ten thousand. */
    private static final long PER_LOG = Duration.ofMillis(1).toNanos();

    private int logs;
    private Map<Object, Path> descriptors = Map.of();

    /** One log more. */
    synchronized void add() {
        logs++;
    }

    /** How long a log is not looked at again, in nanoseconds. */
    synchronized long pause() {
        return LEAST + logs * PER_LOG;
    }

    /** What tells a file from all others, whatever its name. */
    static Optional<Object> identity(Path file, LinkOption... options) {
        try {
            return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class, options)
                    .fileKey());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** The system's own name of an open file; empty where there is none. Somebody may remove the logs of all ranks at once. */
    synchronized Optional<Path> descriptor(Object identity) {
        Optional<Path> known = check(identity);
        if (known.isEmpty()) {
            descriptors = all();
            known = check(identity);
        }
        return known;
    }

    private Optional<Path> check(Object identity) {
        @Nullable Path descriptor = descriptors.get(identity);
        return Optional.ofNullable(descriptor).filter(found -> identity(found).equals(Optional.of(identity)));
    }

    private static Map<Object, Path> all() {
        Map<Object, Path> found = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Descriptors.ALL)) {
            for (Path entry : entries) {
                identity(entry).ifPresent(identity -> found.put(identity, entry));
            }
        } catch (IOException | DirectoryIteratorException noProc) {
            // Then nobody can tell.
        }
        return found;
    }
}
