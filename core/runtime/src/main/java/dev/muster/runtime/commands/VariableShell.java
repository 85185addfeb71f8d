package dev.muster.runtime.commands;

import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs scripts that change variables. The processes that such a script leaves behind are ended with it.
 *
 * @param context a stop of the launcher ends a script at once
 * @param says gets what a script prints, line by line, on another thread
 */
public record VariableShell(Supplier<ProcessSupervisor> supervisor, CommandContext context, Consumer<String> says) {

    /** With {@code -p} bash neither reads {@code BASH_ENV} nor takes functions out of the environment. */
    private static final List<List<String>> SHELLS =
            List.of(List.of("/bin/bash", "-p"), List.of("/usr/bin/bash", "-p"), List.of("/bin/sh"));

    /** More than any environment can have. */
    private static final int LIMIT = 16 * 1024 * 1024;

    private static final int MOST_LINES = 100;

    /** A script ended before its end, or took too long; its message says which file did, how, and what it printed last. */
    public static final class ScriptException extends Exception {

        private static final long serialVersionUID = 1L;

        ScriptException(String message) {
            super(message);
        }
    }

    /**
     * Runs a script to its end.
     *
     * @return what it changed; empty when the launcher was told to stop
     */
    public Optional<VariableChanges> run(VariableScript script, Duration deadline) throws ScriptException {
        List<String> command = new ArrayList<>(shell());
        command.addAll(List.of("-c", script.text(), "muster"));
        try (SupervisedCommand shell = new SupervisedCommand(supervisor.get(), context)) {
            shell.start(command);
            return await(shell, deadline);
        } catch (IOException refused) {
            throw new ScriptException("the shell cannot be started: " + refused.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Optional<VariableChanges> await(SupervisedCommand shell, Duration deadline)
            throws InterruptedException, ScriptException {
        CompletableFuture<byte[]> data = shell.output(VariableShell::read);
        CompletableFuture<Optional<String>> lastWords = shell.errors(this::tell);
        Optional<Termination> end;
        try {
            end = shell.await(deadline);
        } finally {
            // Kills the processes that the script left behind, too.
            shell.kill();
        }
        byte[] told = SupervisedCommand.last(data, new byte[0]);
        Optional<String> last = SupervisedCommand.last(lastWords, Optional.empty());
        boolean isDone = end.filter(Termination::isSuccess).isPresent();
        if (!isDone && context.areToStop().getAsBoolean()) {
            return Optional.empty();
        }
        String how =
                end.map(VariableShell::describe).orElseGet(() -> "had not ended after " + deadline.toSeconds() + "s");
        return Optional.of(changes(Blocks.of(told), how, last));
    }

    private static String describe(Termination end) {
        return end.startProblem()
                .map(problem -> "cannot be started: " + problem)
                .orElseGet(() -> "ended the shell with " + end.exitCode());
    }

    private static VariableChanges changes(Blocks blocks, String how, Optional<String> lastWords)
            throws ScriptException {
        if (blocks.complete().size() < Blocks.ALL) {
            List<String> files = blocks.complete().size() == 1 ? blocks.rest() : List.of();
            String at = files.isEmpty() ? "the shell" : Printable.escape(files.get(files.size() - 1));
            throw new ScriptException(at + " " + how
                    + lastWords
                            .map(words -> "; it printed last: " + Printable.quote(words))
                            .orElse("; it printed nothing"));
        }
        return VariableChanges.between(
                blocks.complete().get(0), blocks.complete().get(Blocks.ALL - 1));
    }

    private static List<String> shell() {
        return SHELLS.stream()
                .filter(shell -> Files.isExecutable(Path.of(shell.get(0))))
                .findFirst()
                .orElse(SHELLS.get(SHELLS.size() - 1));
    }

    private static byte[] read(InputStream stream) {
        try (stream) {
            return stream.readNBytes(LIMIT);
        } catch (IOException closed) {
            return new byte[0];
        }
    }

    /** Shows the lines, and returns the last one. */
    private Optional<String> tell(InputStream stream) {
        Optional<String> last = Optional.empty();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            int count = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    last = Optional.of(line.strip());
                }
                if (!line.isBlank() && count++ < MOST_LINES) {
                    says.accept(Printable.escape(line.strip()));
                }
            }
        } catch (IOException closed) {
            return last;
        }
        return last;
    }

    /**
     * The data of {@link VariableScript}.
     *
     * @param complete the blocks that have an end
     * @param rest the entries of the block that has none
     */
    private record Blocks(List<List<String>> complete, List<String> rest) {

        static final int ALL = 3;

        static Blocks of(byte[] data) {
            List<List<String>> complete = new ArrayList<>();
            List<String> block = new ArrayList<>();
            List<String> entries = List.of(ByteText.decode(data).split("\0", -1));
            // What follows the last zero byte is no entry.
            for (String entry : entries.subList(0, entries.size() - 1)) {
                if (entry.isEmpty()) {
                    complete.add(block);
                    block = new ArrayList<>();
                } else {
                    block.add(entry);
                }
            }
            return new Blocks(complete, block);
        }
    }
}
