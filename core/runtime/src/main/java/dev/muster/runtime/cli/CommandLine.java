package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.GivenOption;
import dev.muster.runtime.config.Option;
import java.util.List;
import java.util.Optional;

/**
 * A command line taken apart; no value in it is checked.
 *
 * @param command the word it began with; {@link Command#LAUNCH} when there was none
 * @param options in the order given
 * @param unknown flags that are not in the table, as they were written
 * @param job the training command: what follows {@code --}
 */
record CommandLine(Command command, List<GivenOption> options, List<String> unknown, List<String> job) {

    CommandLine {
        options = List.copyOf(options);
        unknown = List.copyOf(unknown);
        job = List.copyOf(job);
    }

    /** The value of an option that was given. */
    Optional<String> value(Option option) {
        for (GivenOption given : options) {
            if (given.name().equals(option.name())) {
                return Optional.of(given.value());
            }
        }
        return Optional.empty();
    }
}
