package dev.muster.runtime.conditions;

import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** For conditions that ask nothing of the run. */
final class NoInquirer implements Inquirer {

    @Override
    public Path privateFile(String name) {
        throw new AssertionError("nobody asks for " + name);
    }

    @Override
    public Run ask(List<Value> command, Consumer<Reply> answered) {
        throw new AssertionError("nobody asks by " + command);
    }
}
