package dev.muster.runtime.commands;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A command that asks on the user's terminal. A launcher's process cannot open a terminal, so {@code script} makes one and passes on what
 * the user types. The answers do not come to this JVM.
 */
public final class TerminalCommand {

    private static final Duration TO_LEAVE = Duration.ofSeconds(5);

    private final ProcessSupervisor supervisor;
    private final SupervisedCommand script;

    /** @throws IOException when there can be no pipe */
    public TerminalCommand(ProcessSupervisor supervisor, CommandContext context) throws IOException {
        this.supervisor = supervisor;
        this.script = new SupervisedCommand(supervisor, context, ProcessRequest.CALLERS_INPUT);
    }

    /** Whether the launcher has a terminal and is in its foreground. In the background another process reads the terminal. */
    public boolean isPossible() {
        // state, parent, group, session, terminal, the terminal's group
        String status =
                ReadableFiles.text(Path.of("/proc/" + supervisor.caller().pid() + "/stat"));
        boolean isInForeground = status.matches("(?s).*\\) \\S+ \\S+ (\\S+) \\S+ \\S+ \\1 .*");
        return isInForeground
                && supervisor.caller().isInputTerminal()
                && StandardStreams.terminal().isPresent();
    }

    /**
     * Starts it.
     *
     * @param line of a POSIX shell
     * @param end run when there are no more questions, on another thread
     */
    public void start(String line, Runnable end) throws IOException {
        script.start(List.of("/usr/bin/env", "SHELL=/bin/sh", "script", "-qec", line, "/dev/null"));
        CompletableFuture<Boolean> problems = script.errors(TerminalCommand::show);
        CompletableFuture<?> unused = script.output(TerminalCommand::show).runAfterBoth(problems, end);
    }

    private static boolean show(InputStream questions) {
        try (questions) {
            questions.transferTo(StandardStreams.isTerminal(2) ? StandardStreams.err() : StandardStreams.out());
            return true;
        } catch (IOException goneWithTheTerminal) {
            return false;
        }
    }

    /** Its exit code, once there are no more questions; 130 after Ctrl-C, which is no signal for the launcher here. */
    public int code() throws InterruptedException {
        return script.await(TO_LEAVE).map(Termination::exitCode).orElse(ExitCode.UNAVAILABLE.code());
    }

    /** Sends SIGTERM, so that {@code script} can leave the terminal as it was. */
    public void cancel() {
        script.signal(SignalNames.TERM);
    }
}
