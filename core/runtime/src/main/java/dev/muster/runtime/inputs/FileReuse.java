package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an attempt takes an input file as it is. A file written since the last attempt is new, and taken. An unchanged file is
 * taken again if all launchers of the last attempt are here; a missing launcher is awaited. After a replacement a new file may come, but
 * need not: a container that came back is in the old file, too. So the writer gets some time to begin.
 */
final class FileReuse {

    /** The writer of a table reacts when a member goes. It should have begun this long after the replacement came. */
    private static final Duration FOR_THE_WRITER = Duration.ofSeconds(30);

    private static final String WRITER = "Have it written for the launchers that are there (a table that holds as it is"
            + " can be touched), or wait longer with --input-timeout";

    private @Nullable FilePrint last;
    private @Nullable Taken taken;
    private @Nullable Unfit unfit;
    private boolean isBeingWritten;
    private OptionalLong replacedSince = OptionalLong.empty();

    private final Supplier<Optional<Set<String>>> replaced;
    private final LongSupplier nanoClock;

    /** @param replaced as in {@link InputReuse#startNext}; called when it matters */
    FileReuse(Supplier<Optional<Set<String>>> replaced, LongSupplier nanoClock) {
        this.replaced = replaced;
        this.nanoClock = nanoClock;
    }

    /** The file that this attempt is planned with. */
    private record Taken(Path file, FilePrint print) {}

    /** Content that gives no plan for this node. */
    private record Unfit(FilePrint print, ReadAttempt.NotYet why) {}

    /** The attempt that was planned with the file is over. */
    void startNext() {
        last = taken == null ? last : taken.print;
        unfit = null;
        isBeingWritten = false;
        replacedSince = OptionalLong.empty();
    }

    /** Whether an attempt was planned with the file: then the next attempt needs it, too. */
    boolean wasUsed() {
        return last != null || taken != null;
    }

    /** Records that somebody is writing the file. */
    void markWriting() {
        isBeingWritten = true;
    }

    /** Why this content is not taken, even if it is complete. */
    Optional<ReadAttempt.NotYet> objection(FilePrint now) {
        if (unfit != null && unfit.print.hasSameContent(now)) {
            return Optional.of(unfit.why);
        }
        boolean isNew = last == null || isBeingWritten || !last.equals(now);
        return isNew ? Optional.empty() : objection(replaced.get());
    }

    /** @param names of the launchers that replaced others; empty: one has not come yet */
    private Optional<ReadAttempt.NotYet> objection(Optional<Set<String>> names) {
        if (names.isEmpty()) {
            return Optional.of(new ReadAttempt.NotYet(
                    "is that of the last run, and a launcher of the job has not come for the next one", WRITER));
        }
        if (names.get().isEmpty() || isGraceOver()) {
            return Optional.empty();
        }
        return Optional.of(new ReadAttempt.NotYet(
                "is that of the last run, and " + Printable.escape(String.join(", ", names.get()))
                        + " has been replaced since (used again when no other one has come for "
                        + Durations.format(FOR_THE_WRITER) + ")",
                WRITER));
    }

    private boolean isGraceOver() {
        long now = nanoClock.getAsLong();
        if (replacedSince.isEmpty()) {
            replacedSince = OptionalLong.of(now);
        }
        return now - replacedSince.getAsLong() >= FOR_THE_WRITER.toNanos();
    }

    void take(Path file, FilePrint print) {
        taken = new Taken(file, print);
        unfit = null;
    }

    /** Rejects the content that was taken: it gives no plan for this node. */
    void reject(ReadAttempt.NotYet why) {
        if (taken != null) {
            unfit = new Unfit(taken.print, why);
        }
    }

    /** The file that this attempt is planned with. */
    Optional<FilePrint> print() {
        return Optional.ofNullable(taken).map(Taken::print);
    }

    /** Whether the file still says what was taken. */
    boolean isCurrent() {
        if (taken == null) {
            return true;
        }
        Snapshot now = Snapshot.of(taken.file, Json.LIMIT);
        return now.state() == Snapshot.State.CONTENT && taken.print.hasSameContent(FilePrint.of(now.bytes(), ""));
    }
}
