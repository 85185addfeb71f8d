package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Commands that the supervisor starts and ends. */
public final class SupervisedCommands implements CommandRunner {

    private final Supplier<ProcessSupervisor> supervisor;
    private final CommandContext context;

    public SupervisedCommands(Supplier<ProcessSupervisor> supervisor, CommandContext context) {
        this.supervisor = supervisor;
        this.context = context;
    }

    @Override
    public CommandRunner with(Environment environment) {
        return new SupervisedCommands(supervisor, context.with(environment));
    }

    @Override
    public Answer ask(List<String> command, Duration deadline) {
        List<String> words;
        try {
            words = context.resolved(command);
        } catch (MusterException missing) {
            return new Answer(missing.exitCode().code(), "");
        }
        try (SupervisedCommand asked = new SupervisedCommand(supervisor.get(), context, false)) {
            asked.start(words);
            return answer(asked, deadline);
        } catch (IOException refused) {
            return new Answer(NOT_EXECUTABLE, "");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Answer(TOO_LATE, "");
        }
    }

    private Answer answer(SupervisedCommand asked, Duration deadline) throws InterruptedException {
        CompletableFuture<String> output = asked.output(SupervisedCommands::read);
        Optional<Termination> end = asked.await(deadline);
        if (end.isPresent()) {
            return new Answer(end.get().exitCode(), SupervisedCommand.last(output, ""));
        }
        asked.kill();
        if (context.areToStop().getAsBoolean()) {
            throw new StoppedException();
        }
        return new Answer(TOO_LATE, "");
    }

    private static String read(InputStream stream) {
        try {
            return new String(stream.readNBytes(LIMIT), StandardCharsets.UTF_8);
        } catch (IOException | UncheckedIOException closed) {
            return "";
        }
    }
}
