package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Executables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The context in which commands run.
 *
 * @param environment its PATH finds them
 * @param directory where they run
 * @param areToStop whether the launcher was told to stop, which no command may delay
 */
public record CommandContext(
        Environment environment, Path directory, BooleanSupplier areToStop, LongSupplier nanoClock) {

    private static final Duration LOOK = Duration.ofMillis(20);

    CommandContext with(Environment other) {
        return new CommandContext(other, directory, areToStop, nanoClock);
    }

    /** The result of a command; empty when it is late, or the launcher was told to stop. */
    <T> Optional<T> await(CompletableFuture<T> end, Duration deadline) throws InterruptedException {
        long begin = nanoClock.getAsLong();
        while (true) {
            try {
                return Optional.of(end.get(LOOK.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException notYet) {
                boolean isLate = nanoClock.getAsLong() - begin > deadline.toNanos();
                if (isLate || areToStop.getAsBoolean()) {
                    return Optional.empty();
                }
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
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
