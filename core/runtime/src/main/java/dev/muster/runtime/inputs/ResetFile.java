package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A file in which the platform lists the ranks whose cards have faults, and says when these are over.
 *
 * @param path absolute
 * @param origin who named it, for messages
 */
public record ResetFile(Path path, String origin) {

    /** A list of all ranks of a large job, each with its errors. */
    private static final int LIMIT = 8 * 1024 * 1024;

    /**
     * What was seen at one look.
     *
     * @param isThere whether a list could be read; where not, nothing is known
     * @param isComplete whether the list may be believed already
     * @param faulty ranks whose cards have faults that are not over
     * @param problem why no list could be read although something is there; empty: there is none, or all is well
     */
    public record Seen(boolean isThere, boolean isComplete, SortedSet<Integer> faulty, String problem) {

        static final Seen NOTHING = unreadable("");

        static Seen unreadable(String problem) {
            return new Seen(false, false, java.util.Collections.emptySortedSet(), problem);
        }
    }

    /** Looks once; never waits. The path is followed anew each time, since its writers swap links. */
    public Seen look() {
        Snapshot snapshot = Snapshot.of(path, LIMIT);
        return switch (snapshot.state()) {
            case CONTENT -> distrust().map(Seen::unreadable).orElseGet(() -> read(snapshot.bytes()));
            case MISSING -> Seen.NOTHING;
            case TOO_BIG -> Seen.unreadable("has more than " + LIMIT + " bytes");
            case UNREADABLE, CHANGING, DIRECTORY, SPECIAL -> Seen.unreadable(snapshot.reason());
        };
    }

    /** Who can write to it can end the job as often as he likes. */
    private Optional<String> distrust() {
        try {
            return Trust.ofData(path).refusal().map(flaw -> Printable.escape(flaw.of(path)));
        } catch (IOException goneByNow) {
            return Optional.of("is being changed");
        }
    }

    private static Seen read(byte[] bytes) {
        return FaultList.read(bytes)
                .map(list -> new Seen(true, list.isComplete(), list.faulty(), ""))
                .orElseGet(() -> Seen.unreadable("is no list of faults, or is being written"));
    }

    /** What messages call it. */
    public String subject() {
        return "reset file " + Printable.escape(path.toString());
    }
}
