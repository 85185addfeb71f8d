package dev.muster.runtime.launch;

import dev.muster.runtime.platform.Commands;
import dev.muster.runtime.process.Questions;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;

/** Programs of this machine, which are run. */
record AskedCommands(Questions questions) implements Commands {

    @Override
    public InputValue.CommandOutput ask(Input.CommandOutput question) {
        Questions.Answer answer = questions.ask(question.command(), question.deadline());
        return new InputValue.CommandOutput(answer.exitCode(), answer.output());
    }
}
