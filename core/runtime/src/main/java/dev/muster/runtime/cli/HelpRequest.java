package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import java.util.List;
import java.util.Optional;

/**
 * What the user wants to know.
 *
 * @param command {@link Command#HELP} for the first page
 * @param engine whose options are to be shown too
 */
record HelpRequest(Command command, Optional<String> engine) {

    /** Reads as much as can be read: who asks for help may not know how to ask. */
    static HelpRequest of(List<String> arguments) {
        Optional<String> engine = OptionTable.ENGINE.valueIn(arguments);
        Optional<Command> command = Optional.empty();
        for (String argument : arguments) {
            Optional<Command> named = Command.of(argument);
            if (named.isEmpty() || (command.isPresent() && command.get() != Command.HELP)) {
                break;
            }
            command = named;
        }
        return new HelpRequest(command.orElse(engine.isPresent() ? Command.LAUNCH : Command.HELP), engine);
    }
}
