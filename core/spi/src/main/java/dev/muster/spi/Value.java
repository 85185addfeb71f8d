package dev.muster.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text in a plan, known now or once the runtime has prepared the run.
 *
 * @param kind what the text is
 * @param text the literal text, or the name or id of what it stands for; empty where there is only one
 * @param parts of {@link Kind#JOINED}; else empty
 * @since 0.1
 */
@Stability(stable = true)
public record Value(Kind kind, String text, List<Value> parts) {

    /** What a value stands for. */
    public enum Kind {
        /** A text known now. */
        LITERAL,
        /** The absolute path at which a {@link GeneratedFile} of the plan was written, by the file's id. */
        PATH_OF,
        /**
         * A TCP port of this machine, 5000 to 10000, that is free when the run starts and that no other job of Muster's on this
         * machine gets while the run lasts. Equal names in a plan are the same port.
         */
        FREE_PORT,
        /**
         * The absolute path of a directory that only this run and its user can enter, on this machine. No directory above it can be
         * written by others, as sshd demands of what it trusts; where there is no such place, others can at least exchange nothing,
         * but in a volume that a container has for itself. It goes away with the run. The path has no characters but letters, digits
         * and {@code /_.,+@=~-}, so that it can stand in commands and configurations without quotes.
         *
         * <p>What processes of the run make elsewhere on the machine goes away with it when they have added it to the file {@code
         * elsewhere} there, which is for the case that they are killed: a line for each, an absolute path of at least two names. With
         * a slash at its end it is a directory that goes away if it is empty by then.
         */
        PRIVATE_DIRECTORY,
        /** The absolute path of the launcher's own program on this machine: see {@link Value#rankOfHost}. */
        SUPERVISOR,
        /** The text of a resource of the engine's jar, such as a shell script, by its name relative to the engine's class. */
        RESOURCE,
        /** Several values, one directly after another. */
        JOINED
    }

    public Value {
        parts = List.copyOf(parts);
    }

    private static Value named(Kind kind, String text) {
        return new Value(kind, text, List.of());
    }

    public static Value of(String text) {
        return named(Kind.LITERAL, text);
    }

    public static Value of(long number) {
        return of(Long.toString(number));
    }

    /** The path of a file of the plan. */
    public static Value pathOf(String fileId) {
        return named(Kind.PATH_OF, fileId);
    }

    /** A free port; equal names in a plan are the same port. */
    public static Value freePort(String name) {
        return named(Kind.FREE_PORT, name);
    }

    /** The path of the run's private directory. */
    public static Value privateDirectory() {
        return named(Kind.PRIVATE_DIRECTORY, "");
    }

    /** The path of the launcher's own program. */
    public static Value supervisor() {
        return named(Kind.SUPERVISOR, "");
    }

    /**
     * The text of a resource.
     *
     * @param name as {@link Class#getResource} takes it, relative to the engine's class
     */
    public static Value resource(String name) {
        return named(Kind.RESOURCE, name);
    }

    /** Several values, one directly after another. */
    public static Value joined(List<Value> parts) {
        return new Value(Kind.JOINED, "", parts);
    }

    /** Several values, one directly after another. */
    public static Value joined(Value... parts) {
        return joined(List.of(parts));
    }

    /**
     * The words that stand before the command of a rank which a process that {@linkplain HostedRanks hosts ranks} starts: {@code PROGRAM
     * --rank-of-host -- COMMAND}. In a stop the end of such a rank is kept from the process until that is told to end itself: else it would
     * end the other ranks before their grace period is over. Otherwise it is as if the command ran alone.
     */
    public static List<Value> rankOfHost() {
        return List.of(supervisor(), of("--rank-of-host"), of("--"));
    }

    /** What it is put together from, in order: itself, where it has no parts. */
    public List<Value> leaves() {
        return kind == Kind.JOINED
                ? parts.stream().flatMap(part -> part.leaves().stream()).toList()
                : List.of(this);
    }

    /** Whether it is of this kind. */
    public boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** Whether all of the text is known now. */
    public boolean isKnown() {
        return leaves().stream().allMatch(leaf -> leaf.is(Kind.LITERAL));
    }

    /** The text, where all of it is known now. */
    public Optional<String> known() {
        if (kind == Kind.LITERAL) {
            return Optional.of(text);
        }
        if (!isKnown()) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        leaves().forEach(leaf -> texts.add(leaf.text()));
        return Optional.of(String.join("", texts));
    }
}
