package dev.muster.runtime.launch;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.platform.Commands;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;

/** Programs of this machine, which are run. */
record AskedCommands(CommandRunner commands) implements Commands {

    @Override
    public InputValue.CommandOutput ask(Input.CommandOutput question) {
        CommandRunner.Answer answer = commands.ask(question.command(), question.deadline());
        return new InputValue.CommandOutput(answer.exitCode(), answer.output());
    }
}
