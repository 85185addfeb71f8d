package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.InputValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A big JSON file that will be asked for, as far as anybody can tell before options and engines are known. It is read and parsed on a
 * thread of its own while the launcher makes itself ready; whoever asks for it then looks whether that is still what it says. Only for
 * files that are big: of others it is not worth a thread.
 */
public final class ReadAhead {

    /** Bytes of a file that takes longer to read than a thread takes to start. */
    static final int BIG = 512 * 1024;

    private final Path file;

    /** Null once somebody has asked for it. */
    private @Nullable CompletableFuture<Optional<Found>> found;

    private @Nullable Found taken;

    /** Who reads on in it. */
    private final CompletableFuture<Consumer<InputValue.Json>> reader;

    private ReadAhead(
            Path file,
            @Nullable CompletableFuture<Optional<Found>> found,
            CompletableFuture<Consumer<InputValue.Json>> reader) {
        this.file = file;
        this.found = found;
        this.reader = reader;
    }

    /** What was read. */
    private record Found(Snapshot.Draft draft, Optional<Map<String, Object>> content) {}

    /** Nothing is read before it is asked for. */
    public static ReadAhead nothing() {
        return new ReadAhead(Path.of(""), null, new CompletableFuture<>());
    }

    /**
     * Begins with the first of these that is a big file, if there is one. Does not wait, and does not fail: what cannot be read is read
     * again by who asks for it, and that tells why.
     */
    public static ReadAhead of(List<Path> files) {
        for (Path file : files) {
            // Of what is not there this says without an exception that it has no bytes.
            if (file.toFile().length() >= BIG) {
                return begin(file);
            }
        }
        return nothing();
    }

    private static ReadAhead begin(Path file) {
        CompletableFuture<Optional<Found>> found = new CompletableFuture<>();
        CompletableFuture<Consumer<InputValue.Json>> reader = new CompletableFuture<>();
        try {
            Daemon.start("read-ahead", () -> {
                Optional<Found> read = read(file);
                found.complete(read);
                read.flatMap(Found::content)
                        .ifPresent(content -> reader.join().accept(new InputValue.Json(file.toString(), content)));
            });
        } catch (OutOfMemoryError noThread) {
            return nothing();
        }
        return new ReadAhead(file, found, reader);
    }

    /**
     * Says who reads on in what was read, on the same thread, though nobody has asked for it yet nor looked whether the file still says
     * that. Whoever asks for it then is given the same content.
     */
    public void goOnBy(Consumer<InputValue.Json> next) {
        reader.complete(next);
    }

    private static Optional<Found> read(Path file) {
        try {
            return Snapshot.Draft.of(file, Json.LIMIT)
                    .map(draft -> new Found(draft, Json.read(draft.bytes()).object()));
        } catch (RuntimeException | Error broken) {
            // Whoever asks for it meets the same, and says so.
            return Optional.empty();
        }
    }

    /** As {@link Snapshot#ofJson}. */
    Snapshot snapshot(Path wanted) {
        taken = null;
        Optional<Found> ahead = take(wanted);
        if (ahead.isPresent()) {
            Snapshot snapshot = ahead.get().draft.snapshot();
            if (snapshot.state() == Snapshot.State.CONTENT) {
                taken = ahead.get();
                return snapshot;
            }
        }
        return Snapshot.ofJson(wanted);
    }

    private Optional<Found> take(Path wanted) {
        CompletableFuture<Optional<Found>> awaited = found;
        if (awaited == null || !file.equals(wanted)) {
            return Optional.empty();
        }
        found = null;
        return awaited.join();
    }

    /** As {@link Json#read}, of what {@link #snapshot} gave. */
    @SuppressWarnings("ReferenceEquality") // The very array, which nobody has compared.
    JsonReading reading(byte[] bytes) {
        Found ahead = taken;
        taken = null;
        return ahead != null && ahead.draft.bytes() == bytes && ahead.content.isPresent()
                ? new JsonReading.Complete(ahead.content.get())
                : Json.read(bytes);
    }
}
