package dev.muster.spi;

import java.util.List;
import java.util.Optional;

/**
 * A text in a plan, known now or once the runtime has prepared the run.
 *
 * @since 0.1
 */
public sealed interface Value
        permits Value.Literal,
                Value.PathOf,
                Value.FreePort,
                Value.PrivateDirectory,
                Value.Supervisor,
                Value.EnvironmentOf,
                Value.Resource,
                Value.Joined {

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** What it is put together from, in order: itself, where it has no parts. */
    default List<Value> leaves() {
        return List.of(this);
    }

    /**
     * Whether all of the text is known now.
     *
     * @since 0.2
     */
    default boolean isKnown() {
        return known().isPresent();
    }

    /** The text, where all of it is known now. */
    default Optional<String> known() {
        return Optional.empty();
    }

    /** A text known now. */
    record Literal(String text) implements Value {

        @Override
        public Optional<String> known() {
            return Optional.of(text);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.literal(this);
        }
    }

    /** The absolute path at which a {@link GeneratedFile} of the plan was written. */
    record PathOf(String fileId) implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.pathOf(this);
        }
    }

    /**
     * A TCP port of this machine, 5000 to 10000, that is free when the run starts and that no other job of Muster's on this
     * machine gets while the run lasts.
     *
     * @param name equal names in a plan are the same port
     */
    record FreePort(String name) implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.freePort(this);
        }
    }

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
    record PrivateDirectory() implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.privateDirectory(this);
        }
    }

    /**
     * The absolute path of the launcher's own program on this machine. A process that {@linkplain HostedRanks hosts ranks} may start each
     * as {@code PROGRAM --rank-of-host -- COMMAND}. In a stop the end of such a rank is kept from the process until that is told to end
     * itself: else it would end the other ranks before their grace period is over. Otherwise it is as if the command ran alone.
     *
     * @since 0.2
     */
    record Supervisor() implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.supervisor(this);
        }

        /** The words that stand before a rank's command. */
        public static List<Value> rankOfHost() {
            return List.of(new Supervisor(), Value.of("--rank-of-host"), Value.of("--"));
        }
    }

    /**
     * The environment of a process of the plan as {@code env} prints it, a line for each variable, sorted by their names. Values
     * of secrets are masked. Only in files that no process names.
     */
    record EnvironmentOf(String processId) implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.environmentOf(this);
        }
    }

    /**
     * The text of a resource of the engine's jar, such as a shell script.
     *
     * @param name as {@link Class#getResource} takes it, relative to the engine's class
     */
    record Resource(String name) implements Value {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.resource(this);
        }
    }

    /** Several values, one directly after another. */
    record Joined(List<Value> parts) implements Value {
        public Joined {
            parts = List.copyOf(parts);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.joined(this);
        }

        @Override
        public List<Value> leaves() {
            return parts.stream().flatMap(part -> part.leaves().stream()).toList();
        }

        @Override
        public Optional<String> known() {
            StringBuilder text = new StringBuilder();
            for (Value leaf : leaves()) {
                if (leaf.known().isEmpty()) {
                    return Optional.empty();
                }
                text.append(leaf.known().get());
            }
            return Optional.of(text.toString());
        }
    }

    static Value of(String text) {
        return new Literal(text);
    }

    static Value of(long number) {
        return new Literal(Long.toString(number));
    }

    /** Several values, one directly after another. */
    static Value joined(Value... parts) {
        return new Joined(List.of(parts));
    }

    /**
     * What becomes of each kind of value. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T literal(Literal literal);

        T pathOf(PathOf pathOf);

        T freePort(FreePort freePort);

        T privateDirectory(PrivateDirectory privateDirectory);

        T supervisor(Supervisor supervisor);

        T environmentOf(EnvironmentOf environmentOf);

        T resource(Resource resource);

        T joined(Joined joined);
    }
}
