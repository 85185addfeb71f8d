package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A file in which the platform lists the ranks whose cards have faults, and says when these are over.
 *
 * @param path absolute
 * @param origin who named it, for messages
 */
public record ResetFile(Path path, String origin) {

    /** Room for a list of all ranks of a large job, each with its errors. */
    private static final int LIMIT = 8 * 1024 * 1024;

    private static final String LIST = "RankList";
    private static final String RECOVERED = "recovered";

    /**
     * What was seen at one look.
     *
     * @param isThere whether a list could be read; where not, nothing is known
     * @param isComplete whether the platform has finished the list
     * @param faulty ranks whose cards have faults that are not over
     * @param problem why no list could be read although something is there; empty: there is none, or all is well
     */
    public record Seen(boolean isThere, boolean isComplete, SortedSet<Integer> faulty, String problem) {

        static final Seen NOTHING = unreadable("");

        static Seen unreadable(String problem) {
            return new Seen(false, false, new TreeSet<>(), problem);
        }
    }

    /** Looks once; never waits. The path is followed anew each time, since its writers swap links. */
    public Seen read() {
        Snapshot snapshot = Snapshot.of(path, LIMIT);
        return switch (snapshot.state()) {
            case CONTENT -> distrust().map(Seen::unreadable).orElseGet(() -> parse(snapshot.bytes()));
            case MISSING -> Seen.NOTHING;
            case TOO_BIG -> Seen.unreadable("has more than " + LIMIT + " bytes");
            case UNREADABLE, CHANGING, DIRECTORY, SPECIAL -> Seen.unreadable(snapshot.reason());
        };
    }

    /** Refuses a file that others can write: they could end the job at any time. */
    private Optional<String> distrust() {
        try {
            return Trust.ofData(path).refusal().map(flaw -> Printable.escape(flaw.of(path)));
        } catch (IOException goneByNow) {
            return Optional.of("is being changed");
        }
    }

    private static Seen parse(byte[] bytes) {
        Optional<Map<String, Object>> json = Json.read(bytes).object();
        return (json.isPresent() ? json : Json.readPython(bytes).object())
                .flatMap(ResetFile::faults)
                .orElseGet(() -> Seen.unreadable("is no list of faults, or is being written"));
    }

    /** As MindX DL lists them; empty: it is no such list, or not yet. */
    private static Optional<Seen> faults(Map<String, Object> content) {
        Object list = content.get(LIST);
        if (!content.containsKey(LIST) || !(list == null || list instanceof List)) {
            return Optional.empty();
        }
        SortedSet<Integer> faulty = new TreeSet<>();
        for (Object entry : list == null ? List.of() : (List<?>) list) {
            Map<?, ?> fault = entry instanceof Map<?, ?> map ? map : Map.of();
            String rank = word(fault, "RankId");
            if (!rank.matches("[0-9]{1,9}")) {
                return Optional.empty();
            }
            // Any other status, such as a failed recovery, still is a fault.
            if (!word(fault, "Status").equals(RECOVERED)) {
                faulty.add(Integer.parseInt(rank));
            }
        }
        return Optional.of(new Seen(true, !Boolean.TRUE.equals(content.get("FaultFlushing")), faulty, ""));
    }

    private static String word(Map<?, ?> fault, String name) {
        return String.valueOf(fault.get(name)).strip().toLowerCase(Locale.ROOT);
    }

    /** What messages call it. */
    public String subject() {
        return "reset file " + Printable.escape(path.toString());
    }
}
