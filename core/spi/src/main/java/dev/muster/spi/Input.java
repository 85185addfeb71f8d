package dev.muster.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something an engine must know before it can plan. The runtime fetches all inputs at the same time and waits for those
 * that are not ready yet until the deadline of {@code --input-timeout}.
 *
 * @since 0.1
 */
@Stability(stable = true)
public sealed interface Input {

    /** The key under which the value stands in {@link PlanRequest#inputs()}. */
    String id();

    /**
     * Makes a value of an engine's own of a JSON object. That is done once a launch, also where plans for all nodes are made of it.
     *
     * @since 0.1
     */
    @FunctionalInterface
    interface Parser {

        /** Takes the object as it is. */
        Parser NONE = json -> json;

        /** @throws PlanException when the object is wrong */
        InputValue parse(InputValue.Json json) throws PlanException;
    }

    /**
     * What {@link PlanRequest#inputs()} gets.
     *
     * @param value as it was read
     * @throws PlanException when the engine's parser refuses it
     */
    default InputValue parsed(InputValue value) throws PlanException {
        return value;
    }

    /**
     * A JSON file.
     *
     * @param path absolute
     * @param nameInDirectory when {@code path} turns out to be a directory, the file of this name in it is meant
     * @param origin who named the path, for messages, for example {@code RANK_TABLE_FILE}
     * @param isRequired whether it is waited for; else only if it exists at the first look
     * @param field a text field of the top-level object by which a file that is still being written counts as ready; empty: it is ready as
     *     soon as it is whole
     * @param ready the value of the field that says so; a missing field is waited for
     * @param pending values that say it will be; any other value is an error at once
     * @param parser makes the engine's own value of it
     */
    record JsonFile(
            String id,
            String path,
            Optional<String> nameInDirectory,
            String origin,
            boolean isRequired,
            String field,
            String ready,
            List<String> pending,
            Parser parser)
            implements Input {
        public JsonFile {
            pending = List.copyOf(pending);
        }

        @Override
        public InputValue parsed(InputValue value) throws PlanException {
            return value instanceof InputValue.Json json ? parser.parse(json) : value;
        }
    }

    /** A text file in UTF-8 of at most 8 MiB. Never waited for: without it there is no value. */
    record TextFile(String id, String path) implements Input {}

    /**
     * The names in a directory, never waited for. A directory that does not exist, or that cannot be read, has no
     * names.
     *
     * @param prefix only names that start with it are listed
     */
    record Listing(String id, String path, String prefix) implements Input {}

    /**
     * A program, looked up when the launcher starts: {@link InputValue.Program}. Never waited for: without it there is no value.
     *
     * @param name without directory
     * @param alsoIn absolute directories to look in after those of PATH
     */
    record Program(String id, String name, List<String> alsoIn) implements Input {
        public Program {
            alsoIn = List.copyOf(alsoIn);
        }
    }

    /**
     * What a command prints that only asks for a fact, such as a version. It runs in the launcher's environment and directory
     * and must change nothing. That it fails is a value too: {@link InputValue.CommandOutput}.
     *
     * @param command one element an argument; the first is a path, or a name looked up in PATH
     * @param deadline after which it is killed and counts as failed
     */
    record CommandOutput(String id, List<String> command, Duration deadline) implements Input {
        public CommandOutput {
            command = List.copyOf(command);
        }
    }
}
