package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.Inquirer;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.files.FileTail;
import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.ProcessLauncher;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.process.Warden;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs commands that only ask, as processes of the run. Their output goes to files of the private directory: a pipe would need
 * a thread for each, and could be held open by what they leave running.
 */
final class CommandRuns implements AutoCloseable {

    /** Starting a process waits for the system; many hosts are asked at once. */
    private static final int THREADS = 4;

    private static final int LONGEST_OUTPUT = 64 * 1024;
    private static final Path LAUNCHERS_DIRECTORY = Path.of("").toAbsolutePath();

    private final ProcessLauncher launcher;
    private final Warden warden;
    private final RunDirectory directory;
    private final Set<Long> live = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean isClosed;
    private final ExecutorService starters = Executors.newFixedThreadPool(THREADS, CommandRuns::daemon);

    CommandRuns(ProcessLauncher launcher, Warden warden, RunDirectory directory) {
        this.launcher = launcher;
        this.warden = warden;
        this.directory = directory;
    }

    /** Starts a command soon; see {@link Inquirer#ask}. */
    Inquirer.Run ask(List<String> command, Consumer<Inquirer.Reply> answered) {
        CommandRun run = new CommandRun(command, answered);
        try {
            starters.execute(run::start);
        } catch (RejectedExecutionException closed) {
            run.end();
        }
        return run;
    }

    /** Whether a process leads the session of a command that runs now. */
    boolean isRun(long session) {
        return live.contains(session);
    }

    /** Ends what runs. */
    @Override
    public void close() {
        isClosed = true;
        starters.shutdownNow();
        warden.signalGroups("KILL", List.copyOf(live));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "questions");
        thread.setDaemon(true);
        return thread;
    }

    /** One run of a command. */
    private final class CommandRun implements Inquirer.Run {

        private final List<String> command;
        private final Consumer<Inquirer.Reply> answered;
        private long pid;
        private boolean isOver;

        CommandRun(List<String> command, Consumer<Inquirer.Reply> answered) {
            this.command = command;
            this.answered = answered;
        }

        synchronized void start() {
            if (isOver) {
                return;
            }
            Path output = directory.path().resolve(".answer-" + count.incrementAndGet());
            try {
                ProcessRequest request = new ProcessRequest(
                        "question",
                        command,
                        new TreeMap<>(),
                        new TreeSet<>(),
                        LAUNCHERS_DIRECTORY,
                        Optional.of(output));
                pid = launcher.startWithoutInput(request, how -> ended(how, output))
                        .pid();
                live.add(pid);
                if (isClosed) {
                    warden.signalGroups("KILL", List.of(pid));
                }
            } catch (IOException refused) {
                answer(new Inquirer.Reply(ExitCode.NOT_EXECUTABLE.code(), Reasons.of(refused)));
            }
        }

        @Override
        public synchronized void end() {
            if (!isOver && pid > 0) {
                warden.signalGroups("KILL", List.of(pid));
            }
            isOver = true;
        }

        private synchronized void ended(Termination how, Path output) {
            live.remove(pid);
            answer(new Inquirer.Reply(how.exitCode(), lastLine(output)));
        }

        private void answer(Inquirer.Reply reply) {
            if (!isOver) {
                isOver = true;
                answered.accept(reply);
            }
        }
    }

    /** The last line that is not blank; the file is removed. */
    private static String lastLine(Path output) {
        try {
            byte[] content = FileTail.read(output, LONGEST_OUTPUT);
            Files.deleteIfExists(output);
            String text = new String(content, StandardCharsets.UTF_8).stripTrailing();
            return text.substring(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
        } catch (IOException unreadable) {
            return "its answer cannot be read: " + Reasons.of(unreadable);
        }
    }
}
