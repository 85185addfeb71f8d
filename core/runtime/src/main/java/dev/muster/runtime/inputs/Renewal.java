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
 * Whether a run takes a file as it is. What was written since the last run is new, and taken. What is unchanged is taken again when
 * all launchers of the last run are here; where one is missing it is awaited. Where one was replaced a new file may be on its way, but
 * need not: a container that came back in its place is in the old one, and nobody writes it anew. So its writer has some time to
 * begin.
 */
final class Renewal {

    /** Who writes tables does so, or says that they are not complete, when a member goes: that is over when another has come. */
    private static final Duration FOR_THE_WRITER = Duration.ofSeconds(30);

    private static final String WRITER = "Have it written for the launchers that are there (a table that holds as it is"
            + " can be touched), or wait longer with --input-timeout";

    private @Nullable FilePrint last;
    private @Nullable Taken taken;
    private @Nullable Unfit unfit;
    private boolean hasBegun;
    private OptionalLong replacedSince = OptionalLong.empty();

    private final Supplier<Optional<Set<String>>> replaced;
    private final LongSupplier nanoClock;

    /** @param replaced as {@link Renewals#next} has it; asked when it matters */
    Renewal(Supplier<Optional<Set<String>>> replaced, LongSupplier nanoClock) {
        this.replaced = replaced;
        this.nanoClock = nanoClock;
    }

    /** What this run is planned with. */
    private record Taken(Path file, FilePrint print) {}

    /** What no plan can be made of here. */
    private record Unfit(FilePrint print, ReadAttempt.NotYet why) {}

    /** The run that was planned with it is over. */
    void next() {
        last = taken == null ? last : taken.print;
        unfit = null;
        hasBegun = false;
        replacedSince = OptionalLong.empty();
    }

    /** Whether a run was planned with the file: then it has to be there for the next one, too. */
    boolean wasThere() {
        return last != null || taken != null;
    }

    /** Somebody is writing it. */
    void begins() {
        hasBegun = true;
    }

    /** Why this content is not taken, though it may be whole. */
    Optional<ReadAttempt.NotYet> objection(FilePrint now) {
        if (unfit != null && unfit.print.saysTheSameAs(now)) {
            return Optional.of(unfit.why);
        }
        boolean isNew = last == null || hasBegun || !last.equals(now);
        return isNew ? Optional.empty() : objection(replaced.get());
    }

    /** @param names of the launchers that took the places of others; empty: one has not come yet */
    private Optional<ReadAttempt.NotYet> objection(Optional<Set<String>> names) {
        if (names.isEmpty()) {
            return Optional.of(new ReadAttempt.NotYet(
                    "is that of the last run, and a launcher of the job has not come for the next one", WRITER));
        }
        if (names.get().isEmpty() || isWriterLate()) {
            return Optional.empty();
        }
        return Optional.of(new ReadAttempt.NotYet(
                "is that of the last run, and " + Printable.escape(String.join(", ", names.get()))
                        + " has been replaced since (used again when no other one has come for "
                        + Durations.format(FOR_THE_WRITER) + ")",
                WRITER));
    }

    private boolean isWriterLate() {
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

    /** What was taken is of no use on this node: something else is awaited. */
    void giveBack(ReadAttempt.NotYet why) {
        if (taken != null) {
            unfit = new Unfit(taken.print, why);
        }
    }

    /** What this run is planned with. */
    Optional<FilePrint> print() {
        return Optional.ofNullable(taken).map(Taken::print);
    }

    /** Whether the file still says what was taken. */
    boolean isCurrent() {
        if (taken == null) {
            return true;
        }
        Snapshot now = Snapshot.of(taken.file, Json.LIMIT);
        return now.state() == Snapshot.State.CONTENT && taken.print.saysTheSameAs(FilePrint.of(now.bytes(), ""));
    }
}
