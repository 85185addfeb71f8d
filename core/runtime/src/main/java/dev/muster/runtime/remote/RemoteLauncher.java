package dev.muster.runtime.remote;

import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A launcher on another host, and the ssh that leads to it. What it prints passes on to the console, but for its answers. Where
 * this JVM dies, or ssh does, its standard input ends, and it stops.
 */
final class RemoteLauncher {

    private static final int LONGEST = 64 * 1024;
    private static final int KEPT = 4096;
    private static final Order END = to -> {};

    private final SshClient.Target target;
    private final ProcessOutput shown;
    private final Consumer<Answer> answers;
    private final String mark;
    private final Pattern answer;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final StringBuilder said = new StringBuilder();
    private volatile boolean isRunning;
    private long id;

    /** What a host is told. */
    private interface Order {
        void writeTo(OutputStream host) throws IOException;
    }

    /**
     * What a host answers.
     *
     * @param kind {@code ready}, {@code missing} (what was found), {@code failed} (why), {@code exit} (a code); {@code gone} when ssh has ended
     */
    record Answer(RemoteLauncher from, String kind, String text) {}

    /**
     * @param shown where its output goes
     * @param mark begins its answers
     * @param answers told of them, on a thread of its own
     */
    RemoteLauncher(SshClient.Target target, ProcessOutput shown, String mark, Consumer<Answer> answers) {
        this.target = target;
        this.shown = shown;
        this.mark = mark;
        this.answers = answers;
        answer = Pattern.compile(Pattern.quote(mark) + "([a-z]+) ([^\n]*)\n");
    }

    /** As the user has called it. */
    String name() {
        return target.host().name();
    }

    /**
     * Begins to connect.
     *
     * @param script what the host's shell is to do first
     */
    void start(ProcessSupervisor supervisor, ProcessInfo caller, byte[] script) {
        try {
            OutputPipe input = OutputPipe.open();
            OutputPipe output = OutputPipe.open();
            id = supervisor.start(ssh(caller, script, input, output), end -> {}).id();
            input.stream().close();
            output.started();
            orders.add(host -> host.write(script));
            Daemon.start("ssh-input", () -> write(input.sink()));
            Daemon.start("ssh-output", () -> read(output.stream()));
        } catch (IOException refused) {
            throw new MusterException(ExitCode.TEMPORARY, "ssh cannot be started: " + IoReasons.of(refused), refused);
        }
    }

    private ProcessRequest ssh(ProcessInfo caller, byte[] script, OutputPipe input, OutputPipe output) {
        List<String> command = new ArrayList<>(target.ssh());
        command.add(LaunchOrder.reading(script));
        return new ProcessRequest(
                command,
                caller.environment().set(),
                caller.environment().removed(),
                caller.directory(),
                output.target(),
                Optional.empty(),
                input.target().read(),
                false,
                Optional.empty());
    }

    /** Starts the launcher on the host. From now on its output is shown. */
    void go(byte[] order) {
        isRunning = true;
        orders.add(host -> host.write(order));
    }

    /** Brings Muster to the host. */
    void copy(PackageArchive archive) {
        orders.add(archive::writeTo);
    }

    /** Passes a signal on. */
    void signal(String name) {
        byte[] line = (name + "\n").getBytes(StandardCharsets.US_ASCII);
        orders.add(host -> host.write(line));
    }

    /** Tells the launcher that its caller is there. */
    void beat() {
        if (orders.isEmpty()) {
            signal("");
        }
    }

    /** There is nothing more to be said. */
    void close() {
        orders.add(END);
    }

    void kill(ProcessSupervisor supervisor) {
        supervisor.kill(id);
    }

    private void write(OutputStream input) {
        try (input) {
            for (Order order = orders.take(); !order.equals(END); order = orders.take()) {
                order.writeTo(input);
            }
        } catch (IOException gone) {
            // Its output tells it.
        } catch (InterruptedException ofAPlugin) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(InputStream output) {
        try (output;
                OutputStream console = shown.sink()) {
            byte[] bytes = new byte[LONGEST];
            String held = "";
            for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
                held = heard(held + new String(bytes, 0, count, StandardCharsets.ISO_8859_1), console);
            }
            pass(held, console);
        } catch (IOException broken) {
            // Then there is nothing more to hear.
        }
        answers.accept(new Answer(this, "gone", lastWords()));
    }

    /** Returns what may be the beginning of an answer. */
    private String heard(String text, OutputStream console) throws IOException {
        Matcher found = answer.matcher(text);
        int from = 0;
        while (found.find()) {
            pass(text.substring(from, found.start()), console);
            answers.accept(new Answer(this, found.group(1), decoded(found.group(2))));
            from = found.end();
        }
        int rest = from + begin(text.substring(from));
        pass(text.substring(from, rest), console);
        return text.substring(rest);
    }

    private int begin(String text) {
        int whole = text.lastIndexOf(mark);
        int index = whole >= 0 ? whole : Math.max(0, text.length() - mark.length());
        while (whole < 0 && !mark.startsWith(text.substring(index))) {
            index++;
        }
        return index;
    }

    private void pass(String text, OutputStream console) throws IOException {
        said.append(text);
        said.delete(0, Math.max(0, said.length() - KEPT));
        if (isRunning) {
            console.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private String lastWords() {
        List<String> lines =
                said.toString().lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "ssh says nothing" : decoded(lines.get(lines.size() - 1));
    }

    private static String decoded(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
