package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Listens to {@code muster run}, which has started this launcher by ssh. Each line of standard input is a signal, a stop with a grace, or a
 * sign of life. At the end of the input the connection is lost, and the launcher ends as after SIGHUP.
 */
public final class CallerWatch {

    /** The command before a grace in milliseconds. */
    public static final String STOP = "stop ";

    private static final String END = "HUP";

    private final ProcessSupervisor supervisor;
    private final Duration lostAfter;
    private final Consumer<String> say;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** @param lostAfter how long the caller may be silent */
    public CallerWatch(ProcessSupervisor supervisor, Duration lostAfter, Consumer<String> say) {
        this.supervisor = supervisor;
        this.lostAfter = lostAfter;
        this.say = say;
    }

    /**
     * Begins to listen.
     *
     * @throws MusterException standard input cannot be read
     */
    public void start() {
        // Descriptor 0 of this JVM is the connection to the supervisor.
        Path input = Path.of("/proc/" + supervisor.caller().pid() + "/fd/0");
        try {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(Files.newInputStream(input), StandardCharsets.UTF_8));
            Daemon.start("caller", () -> read(reader));
            Daemon.start("caller-watch", this::watch);
        } catch (IOException noPipe) {
            throw MusterException.configuration(
                    "standard input, by which the connection of muster run is watched, cannot" + " be read: " + noPipe
                            + ". This needs /proc and an sshd that gives commands pipes");
        }
    }

    private void read(BufferedReader reader) {
        try (reader) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException lost) {
            // Treated as the end of the input.
        }
        say.accept("the connection to muster run is lost");
        lines.add(END);
    }

    private void watch() {
        try {
            for (String line = ""; !line.equals(END); ) {
                String heard = lines.poll(lostAfter.toNanos(), TimeUnit.NANOSECONDS);
                if (heard == null) {
                    say.accept("nothing was heard of muster run for " + Durations.format(lostAfter));
                }
                line = Objects.requireNonNullElse(heard, END);
                if (line.startsWith(STOP)) {
                    supervisor.request(line);
                }
                SignalNames.number(line).ifPresent(number -> supervisor.reportSignal(number, Optional.empty()));
            }
        } catch (InterruptedException ofAPlugin) {
            Thread.currentThread().interrupt();
        }
    }
}
