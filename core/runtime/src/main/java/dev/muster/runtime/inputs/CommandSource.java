package dev.muster.runtime.inputs;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;

/** What a command says about a fact of this machine. */
final class CommandSource implements Source {

    private final Input.CommandOutput input;
    private final CommandRunner commands;

    CommandSource(Input.CommandOutput input, CommandRunner commands) {
        this.input = input;
        this.commands = commands;
    }

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return "command " + Printable.escape(input.command().get(0));
    }

    @Override
    public Look look() {
        CommandRunner.Answer answer = commands.ask(input.command(), input.deadline());
        return new Look.Ready(new InputValue.CommandOutput(answer.exitCode(), answer.output()));
    }
}
