package dev.muster.runtime.inputs;

import dev.muster.runtime.process.Questions;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;

/** What a command says about a fact of this machine. */
final class CommandSource implements Source {

    private final Input.CommandOutput input;
    private final Questions questions;

    CommandSource(Input.CommandOutput input, Questions questions) {
        this.input = input;
        this.questions = questions;
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
        Questions.Answer answer = questions.ask(input.command(), input.deadline());
        return new Look.Ready(new InputValue.CommandOutput(answer.exitCode(), answer.output()));
    }
}
