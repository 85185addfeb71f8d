package dev.muster.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text in a plan. It is known now, or when the runtime has prepared the attempt.
 *
 * @param kind what the text is
 * @param text the literal text, or the name or id of what it stands for; empty if the kind needs no name
 * @param parts of {@link Kind#JOINED}; else empty
 * @since 0.1
 */
@Stability(stable = true)
public record Value(Kind kind, String text, List<Value> parts) {

    /** What a value stands for. */
    public enum Kind {
        /** A text known now. */
        LITERAL,
        /** The absolute path of a {@link GeneratedFile} of the plan, by the file's id. */
        PATH_OF,
        /**
         * A TCP port of this machine, 5000 to 10000, that is free when the attempt starts. No other Muster job on this machine gets
         * it while the attempt lasts. Equal names in a plan are the same port.
         */
        FREE_PORT,
        /**
         * The absolute path of a directory on this machine that only the launcher's user can enter. Other users cannot write to any
         * directory above it, as sshd demands of files that it trusts. If there is no such place, other users can still not replace
         * it, except in a container's own volume. The launcher removes it at the end of the attempt. The path has only letters, digits
         * and {@code /_.,+@=~-}, so commands and configurations need no quotes.
         *
         * <p>The launcher also removes what processes made elsewhere on the machine, in case they are killed and cannot. They list it
         * in the file {@code elsewhere} of this directory, one absolute path of at least two names per line. A path with a slash at
         * its end is a directory that the launcher removes only if it is empty.
         */
        PRIVATE_DIRECTORY,
        /** The absolute path of the launcher's own program on this machine: see {@link Value#rankOfHost}. */
        SUPERVISOR,
        /** The text of a resource of the engine's jar, such as a shell script, by its name relative to the engine's class. */
        RESOURCE,
        /** Several values, concatenated. */
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

    /** The path of the attempt's private directory. */
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

    /** Several values, concatenated. */
    public static Value joined(List<Value> parts) {
        return new Value(Kind.JOINED, "", parts);
    }

    /** Several values, concatenated. */
    public static Value joined(Value... parts) {
        return joined(List.of(parts));
    }

    /**
     * The words before the command of a {@linkplain HostedRanks hosted rank}: {@code PROGRAM --rank-of-host -- COMMAND}. In a stop the
     * program hides the end of its rank from the host until the host must end too. Otherwise the host would end the other ranks before
     * their grace is over. Without a stop the command behaves as if it ran alone.
     */
    public static List<Value> rankOfHost() {
        return List.of(supervisor(), of("--rank-of-host"), of("--"));
    }

    /** The parts without {@link Kind#JOINED}, in order; the value itself if it has no parts. */
    public List<Value> leaves() {
        return kind == Kind.JOINED
                ? parts.stream().flatMap(part -> part.leaves().stream()).toList()
                : List.of(this);
    }

    /** Whether it has this kind. */
    public boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** Whether all of the text is known now. */
    public boolean isKnown() {
        return leaves().stream().allMatch(leaf -> leaf.is(Kind.LITERAL));
    }

    /** The text, if all of it is known now. */
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
