package dev.muster.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something an engine must know before it can plan. The runtime fetches all inputs at the same time. It waits for inputs
 * that are not ready until the deadline of {@code --input-timeout}.
 *
 * @since 0.1
 */
@Stability(stable = true)
public sealed interface Input {

    /** The key of the value in {@link PlanRequest#inputs()}. */
    String id();

    /**
     * Makes the engine's own value of a JSON object. The runtime calls it once per launch, also for plans of all nodes.
     *
     * @since 0.1
     */
    @FunctionalInterface
    interface Parser {

        /** Returns the object as it is. */
        Parser NONE = json -> json;

        /** @throws PlanException when the object is wrong */
        InputValue parse(InputValue.Json json) throws PlanException;
    }

    /**
     * The value that {@link PlanRequest#inputs()} holds.
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
     * @param nameInDirectory if {@code path} is a directory, the name of the file in it
     * @param origin who named the path, for messages, for example {@code RANK_TABLE_FILE}
     * @param isRequired whether the runtime waits for the file; else it waits only if the file exists at the first look
     * @param field a text field of the top-level object that tells whether the file is ready; empty: the file is ready as soon as it is
     *     complete JSON
     * @param ready the value of the field in a ready file; while the field is missing, the runtime waits
     * @param pending values of the field in a file that will be ready later; any other value is an error at once
     * @param parser makes the engine's own value of the content
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

    /** A text file in UTF-8 of at most 8 MiB. The runtime never waits for it: if it is missing, there is no value. */
    record TextFile(String id, String path) implements Input {}

    /**
     * The names in a directory. The runtime never waits for it. A directory that does not exist, or that the runtime cannot read, has
     * no names.
     *
     * @param prefix only names that start with it are listed
     */
    record Listing(String id, String path, String prefix) implements Input {}

    /**
     * A program, looked up when the launcher starts: {@link InputValue.Program}. Never waited for: if it is missing, there is no value.
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
     * The output of a command that only asks for a fact, such as a version. The command has the launcher's environment and directory,
     * and must change nothing. A failed command gives a value too: {@link InputValue.CommandOutput}.
     *
     * @param command one element for each argument; the first is a path, or a name looked up in PATH
     * @param deadline when the runtime kills the command; it has failed then
     */
    record CommandOutput(String id, List<String> command, Duration deadline) implements Input {
        public CommandOutput {
            command = List.copyOf(command);
        }
    }
}
