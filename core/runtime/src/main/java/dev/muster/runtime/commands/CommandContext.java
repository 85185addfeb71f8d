package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Executables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What commands have around them.
 *
 * @param environment its PATH finds them
 * @param directory where they run
 * @param areToStop whether the launcher has been told to end, which no command may delay
 */
public record CommandContext(
        Environment environment, Path directory, BooleanSupplier areToStop, LongSupplier nanoClock) {

    CommandContext with(Environment other) {
        return new CommandContext(other, directory, areToStop, nanoClock);
    }

    /**
     * The command with the path of its program.
     *
     * @throws MusterException 127 or 126
     */
    List<String> resolved(List<String> command) {
        List<String> words = new ArrayList<>(command);
        words.set(
                0,
                Executables.resolve(command.get(0), environment.value("PATH"), directory)
                        .toString());
        return words;
    }
}
