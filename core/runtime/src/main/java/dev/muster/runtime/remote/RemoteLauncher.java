package dev.muster.runtime.remote;

import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.threads.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * A launcher on another host, and the ssh that leads to it. Once the host is ready, all that it prints passes on to the console. Where
 * this JVM dies, or ssh does, its standard input ends, and it stops.
 */
final class RemoteLauncher {

    /** What ssh ends with when it has no connection. */
    static final int LOST = 255;

    private final SshTarget target;
    private final ProcessOutput shown;
    private final ProcessSupervisor supervisor;
    private final OutputPipe input = OutputPipe.open();
    private final OutputPipe output = OutputPipe.open();
    private final Executor orders = Executors.newSingleThreadExecutor(Daemon.named("ssh-input"));
    private final CompletableFuture<Termination> end = new CompletableFuture<>();
    private long id;

    /** What a host is told. */
    private interface Order {
        void writeTo(OutputStream host) throws IOException;
    }

    /** @param shown where its output goes */
    RemoteLauncher(SshTarget target, ProcessOutput shown, ProcessSupervisor supervisor) throws IOException {
        this.target = target;
        this.shown = shown;
        this.supervisor = supervisor;
    }

    SshTarget target() {
        return target;
    }

    /** As the user has called it. */
    String name() {
        return target.host().name();
    }

    /** Begins to connect, and to do first what the order begins with. */
    void start(LaunchOrder order, RemoteJob job) throws IOException {
        byte[] script = order.begin();
        id = supervisor
                .start(ssh(order.processInfo(), script), ended -> end.complete(ended.termination()))
                .id();
        input.stream().close();
        output.started();
        tell(script);
        Daemon.start("ssh-output", () -> read(order.mark(), job));
    }

    private ProcessRequest ssh(ProcessInfo caller, byte[] script) {
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

    /** Brings Muster to the host. */
    void copy(PackageArchive archive) {
        tell(host -> {
            host.write(ByteText.encode("copy " + archive.file().size() + "\n"));
            archive.file().transferTo(0, archive.file().size(), Channels.newChannel(host));
        });
    }

    /** Passes a signal on; without a name it tells the launcher that its caller is there. */
    void signal(String name) {
        tell(ByteText.encode(name + "\n"));
    }

    /** There is nothing more to be said. */
    void close() {
        tell(OutputStream::close);
    }

    void tell(byte[] order) {
        tell(host -> host.write(order));
    }

    private void tell(Order order) {
        orders.execute(() -> {
            try {
                order.writeTo(input.sink());
            } catch (IOException gone) {
                // Its output tells it.
            }
        });
    }

    void kill() {
        supervisor.kill(id);
    }

    /** The host is silent between its answer that it is ready, and the order to go. */
    private void read(String mark, RemoteJob job) {
        String last = "ssh says nothing";
        try (InputStream bytes = output.stream();
                OutputStream console = shown.sink()) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int answer = line.indexOf(mark);
                if (answer >= 0) {
                    job.hear(this, line.substring(answer + mark.length()));
                } else if (!line.isBlank()) {
                    last = line;
                }
                if (answer >= 0 && line.startsWith(LaunchOrder.READY, answer + mark.length())) {
                    last = "ssh has ended";
                    bytes.transferTo(console);
                }
            }
        } catch (IOException broken) {
            // Then there is nothing more to hear.
        }
        Termination ended = end.join();
        job.hearEnd(this, ended.signal().isPresent() ? LOST : ended.exitCode(), last);
    }
}
