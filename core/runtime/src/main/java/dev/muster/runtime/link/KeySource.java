package dev.muster.runtime.link;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for the job's key, which another process may write only now. */
final class KeySource {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    /** A key is small, whatever file is named. */
    private static final int LONGEST = 1024 * 1024;

    private final LinkSettings settings;
    private final BlockingCalls calls;
    private @Nullable JobKey key;
    private @Nullable CompletableFuture<JobKey> look;
    private long due;
    private String missing = "the link's key is not there yet";

    KeySource(LinkSettings settings, BlockingCalls calls, long now) {
        this.settings = settings;
        this.calls = calls;
        due = now;
        if (settings.key() instanceof LinkKey.Known known) {
            key = JobKey.of(known.secret(), settings.jobId());
        }
    }

    /** Null: it is not there yet. */
    @Nullable JobKey key() {
        return key;
    }

    /** Why there is no key yet. */
    String missing() {
        return missing;
    }

    /** Goes on looking; true: there is something new. */
    boolean look(long now) {
        if (key == null && look == null && now - due >= 0 && settings.key() instanceof LinkKey.OfFile file) {
            look = calls.run(() -> read(file.file()));
        }
        if (look == null || !look.isDone()) {
            return false;
        }
        String before = missing;
        key = look.handle(this::taken).join().orElse(null);
        look = null;
        due = now + PAUSE;
        return key != null || !missing.equals(before);
    }

    private Optional<JobKey> taken(@Nullable JobKey found, @Nullable Throwable problem) {
        missing = problem == null ? missing : String.valueOf(problem.getMessage());
        return Optional.ofNullable(found);
    }

    /** When {@link #look} has something to do even if nothing happens. */
    long due(long otherwise) {
        return key == null && look == null ? due : otherwise;
    }

    private JobKey read(Path file) throws IOException {
        String name = Printable.escape(file.toString());
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(LONGEST);
            if (content.length > 0) {
                return JobKey.of(content, settings.jobId());
            }
        } catch (NoSuchFileException notYet) {
            throw new IOException("there is no file " + name + " yet", notYet);
        } catch (IOException unreadable) {
            throw new IOException(name + " cannot be read: " + IoReasons.of(unreadable), unreadable);
        }
        throw new IOException(name + " is empty");
    }
}
