package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.SupervisedCommand;
import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.threads.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A launcher on another host, and its ssh. Its answers come on standard output. Its output comes on standard error, and goes to the
 * console. If this JVM or ssh dies, the launcher's standard input ends, and it stops.
 */
final class RemoteLauncher {

    private static final int LONGEST = 64 * 1024;
    private static final int KEPT = 4096;
    private static final Order END = to -> {};

    private final SshClient.Target target;
    private final ProcessOutput shown;
    private final LaunchOrder job;
    private final ProcessSupervisor supervisor;
    private final CommandContext context;
    private final Consumer<Answer> answers;
    private final StringBuilder said = new StringBuilder();
    private BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private volatile boolean isRunning;
    private @Nullable SupervisedCommand ssh;

    /** An order to a host. */
    private interface Order {
        void writeTo(OutputStream host) throws IOException;
    }

    /**
     * An answer of a host.
     *
     * @param kind {@code ready}, {@code missing} (what was found), {@code failed} (why), {@code exit} (a code); {@code gone} when ssh has
     *     ended
     */
    record Answer(RemoteLauncher from, String kind, String text) {}

    /**
     * @param shown where its output goes
     * @param job the job of this launcher
     * @param answers takes its answers, on a thread of its own
     */
    RemoteLauncher(
            SshClient.Target target,
            ProcessOutput shown,
            LaunchOrder job,
            ProcessSupervisor supervisor,
            CommandContext context,
            Consumer<Answer> answers) {
        this.target = target;
        this.shown = shown;
        this.job = job;
        this.supervisor = supervisor;
        this.context = context;
        this.answers = answers;
    }

    /** The host's name, as the user gave it. */
    String name() {
        return target.host().name();
    }

    /** A command line of ssh to it. */
    List<String> ssh(String... options) {
        List<String> words = new ArrayList<>(target.ssh());
        words.addAll(1, List.of(options));
        return words;
    }

    /** Whether ssh was refused, but might succeed if it could ask the user. */
    boolean isRefused() {
        return said.indexOf("Permission denied (") >= 0 || said.indexOf("Host key verification failed") >= 0;
    }

    /** {@link #start}s each of them. */
    static void startAll(List<RemoteLauncher> launchers, String... options) throws IOException {
        for (RemoteLauncher launcher : launchers) {
            launcher.start(options);
        }
    }

    /**
     * Begins to connect, perhaps again after an ssh has ended.
     *
     * @param options of ssh in addition to the usual ones
     */
    void start(String... options) throws IOException {
        byte[] script = job.begin();
        List<String> command = ssh(options);
        command.add(1, "-oBatchMode=yes");
        command.add(LaunchOrder.reading(script));
        OutputPipe input = OutputPipe.open();
        SupervisedCommand started =
                new SupervisedCommand(supervisor, context, input.target().read());
        started.start(command);
        input.stream().close();
        orders.add(END);
        BlockingQueue<Order> own = new LinkedBlockingQueue<>(List.of(host -> host.write(script)));
        orders = own;
        ssh = started;
        said.setLength(0);
        Daemon.start("ssh-input", () -> write(own, input.sink()));
        CompletableFuture<Boolean> shownAll = started.errors(this::show);
        CompletableFuture<?> unused = started.output(this::hear)
                .thenAcceptBoth(shownAll, (end, other) -> answers.accept(new Answer(this, "gone", lastWords())));
    }

    /**
     * Starts the launcher on the host. From now on its output is shown.
     *
     * @param index of the node
     */
    void go(int index) {
        byte[] order = job.go(index, target.host());
        isRunning = true;
        orders.add(host -> host.write(order));
    }

    /** Copies Muster to the host. */
    void copy(PackageArchive archive) {
        orders.add(archive::writeTo);
    }

    /** Passes a signal on. */
    void signal(String name) {
        byte[] line = (name + "\n").getBytes(StandardCharsets.US_ASCII);
        orders.add(host -> host.write(line));
    }

    /** A heartbeat: tells the launcher that its caller is alive. */
    void beat() {
        if (orders.isEmpty()) {
            signal("");
        }
    }

    /** Ends the launcher's standard input. */
    void close() {
        orders.add(END);
    }

    void kill() {
        if (ssh != null) {
            ssh.kill();
        }
    }

    private static void write(BlockingQueue<Order> own, OutputStream input) {
        try (input) {
            for (Order order = own.take(); !order.equals(END); order = own.take()) {
                order.writeTo(input);
            }
        } catch (IOException gone) {
            // The end of its output tells the same.
        } catch (InterruptedException ofAPlugin) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the answers. Other lines come from the user's shell. */
    private boolean hear(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int mark = line.indexOf(job.mark());
                String[] answer = line.substring(
                                mark < 0 ? 0 : mark + job.mark().length())
                        .split(" ", 2);
                // The connection may break within the line.
                if (mark >= 0 && answer.length > 1) {
                    answers.accept(new Answer(this, answer[0], answer[1]));
                } else {
                    keep(line + "\n");
                }
            }
        } catch (IOException broken) {
            // The connection is gone: no more answers come.
        }
        return true;
    }

    private boolean show(InputStream errors) {
        byte[] bytes = new byte[LONGEST];
        OutputStream console = shown.pipe().sink();
        try (errors) {
            for (int count = errors.read(bytes); count >= 0; count = errors.read(bytes)) {
                if (isRunning) {
                    console.write(bytes, 0, count);
                } else {
                    keep(new String(bytes, 0, count, StandardCharsets.UTF_8));
                }
            }
            if (isRunning) {
                console.close();
            }
        } catch (IOException broken) {
            // The console output is closed.
        }
        return true;
    }

    private synchronized void keep(String text) {
        said.append(text);
        said.delete(0, Math.max(0, said.length() - KEPT));
    }

    private synchronized String lastWords() {
        List<String> lines =
                said.toString().lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "ssh says nothing" : lines.get(lines.size() - 1);
    }
}
