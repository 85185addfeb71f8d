package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * Listens to {@code muster run}, which has started this launcher by ssh: each line of standard input is a signal, or a sign of life. Where
 * there is nothing more the connection is lost, and the launcher ends as after SIGHUP.
 *
 * @param lostAfter how long nothing need be heard
 */
public record CallerWatch(ProcessSupervisor supervisor, Duration lostAfter, Consumer<String> say) {

    private static final String END = "HUP";

    /**
     * Begins to listen.
     *
     * @throws MusterException when nobody can listen here
     */
    public void start() {
        // This JVM's own input is its supervisor.
        Path input = Path.of("/proc/" + supervisor.caller().pid() + "/fd/0");
        try {
            BufferedReader reader = Files.newBufferedReader(input);
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            Daemon.start("caller", () -> read(reader, lines));
            Daemon.start("caller-watch", () -> watch(lines));
        } catch (IOException noPipe) {
            throw MusterException.configuration(
                    "standard input, by which the connection of muster run is watched, cannot be read: " + noPipe
                            + ". This needs /proc and an sshd that gives commands pipes");
        }
    }

    private void read(BufferedReader reader, BlockingQueue<String> lines) {
        try (reader) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException lost) {
            // The same as its end.
        }
        say.accept("the connection to muster run is lost");
        lines.add(END);
    }

    private void watch(BlockingQueue<String> lines) {
        try {
            for (String line = ""; !line.equals(END); ) {
                String heard = lines.poll(lostAfter.toNanos(), TimeUnit.NANOSECONDS);
                if (heard == null) {
                    say.accept("nothing was heard of muster run for " + Durations.format(lostAfter));
                }
                line = Objects.requireNonNullElse(heard, END);
                SignalNames.number(line).ifPresent(number -> supervisor.caught(number, Optional.empty()));
            }
        } catch (InterruptedException ofAPlugin) {
            Thread.currentThread().interrupt();
        }
    }
}
