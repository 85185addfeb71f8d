package dev.muster.runtime.process;

import dev.muster.runtime.text.Printable;
import dev.muster.runtime.threads.Daemon;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The start script's shell, which stays as this JVM's parent. It gets the signals and passes them on, since a JVM makes a thread
 * for each, and it ends with the code that it was told; a JVM that ends without having told one is an error, whatever its exit
 * status. The other half, {@code guard.sh}, has the words of the two pipes.
 *
 * <p>A launcher that was started as a plain jar has no guard: all of this does nothing then.
 */
public final class Guard {

    private static final int KILL = 9;
    /** Asks for no stop, but to show threads; it is not answered. */
    private static final String THREADS = "QUIT";
    /** Far below what the guard waits for an answer. */
    private static final Duration HEED = Duration.ofMillis(300);

    private static final int MOST_READ = 512;
    private static final Pattern PLAIN = Pattern.compile("/[!-~]+");
    private static final String DESCRIPTORS = "/proc/self/fd/";

    private final Optional<File> orders;
    /** Opened anew when a plugin has interrupted the thread that reads it. */
    private volatile @Nullable FileChannel channel;

    private final @Nullable File place;
    private final Optional<OutputStream> words;
    private final long pid;

    private Guard(Optional<File> orders, @Nullable File place, Optional<OutputStream> words, long pid) {
        this.orders = orders;
        this.pid = pid;
        this.place = place;
        this.words = words;
    }

    /**
     * The guard of this JVM. Says at once that the launcher has begun.
     *
     * @param descriptors those of the two pipes, the one that is read first, and the guard's pid, as in {@code 3:4:4711}; without
     *     them there is no guard
     */
    public static Guard of(Optional<String> descriptors) {
        if (descriptors.isEmpty()) {
            return none();
        }
        String[] numbers = descriptors.get().split(":", -1);
        File orders = new File(DESCRIPTORS + numbers[0]);
        File place = new File(DESCRIPTORS + numbers[1]);
        try {
            if (!isPipe(orders) || !isPipe(place)) {
                return none();
            }
            Guard guard = new Guard(
                    Optional.of(orders),
                    place,
                    // Appended: whatever that is, it is never emptied.
                    Optional.of(new FileOutputStream(place, true)),
                    Long.parseLong(numbers[2]));
            guard.open(orders);
            guard.say("here");
            return guard;
        } catch (IOException noPipe) {
            return none();
        }
    }

    /** A descriptor that was not handed over is that of a file that the JVM itself has opened, such as its classes. */
    private static boolean isPipe(File descriptor) throws IOException {
        return Files.readSymbolicLink(descriptor.toPath()).toString().startsWith("pipe:");
    }

    private FileChannel open(File pipe) throws IOException {
        FileChannel opened = FileChannel.open(pipe.toPath(), StandardOpenOption.READ);
        channel = opened;
        return opened;
    }

    /** Nobody guards this launcher. */
    public static Guard none() {
        return new Guard(Optional.empty(), null, Optional.empty(), 0);
    }

    /** The guard's process; empty where there is none. One that has died is nobody, and not whoever is this JVM's parent now. */
    public Optional<ProcessId> identity() {
        return orders.isEmpty()
                ? Optional.empty()
                : Optional.of(identity(
                        pid,
                        ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L)));
    }

    /** @param parent of this JVM */
    static ProcessId identity(long guard, long parent) {
        ProcessId nobody = new ProcessId(guard, -1);
        return guard == parent ? ProcessTable.identify(guard).orElse(nobody) : nobody;
    }

    /**
     * Passes on what the guard says, on a thread that is made now. When the guard has died, that is as if the launcher had been
     * killed, but that it can stop what it has started: nobody could stop it any more.
     *
     * @param warn told when the guard has died
     * @param tellThreads for SIGQUIT
     */
    public void listen(Signals signals, Consumer<String> warn, Runnable tellThreads) {
        if (orders.isPresent()) {
            Daemon.start("guard", () -> hear(orders.get(), signals, warn, tellThreads));
        }
    }

    /** Passes on what the guard has said until now, where no thread could be made that listens to it. Does not wait. */
    public void hearAtOnce(Signals signals) {
        if (orders.isEmpty()) {
            return;
        }
        try (InputStream said = new FileInputStream(orders.get())) {
            byte[] read = new byte[MOST_READ];
            int length = said.available() > 0 ? said.read(read) : 0;
            String words = new String(read, 0, Math.max(0, length), StandardCharsets.US_ASCII);
            words.lines().filter(word -> !word.equals(THREADS)).forEach(signal -> {
                passOn(signal, signals);
                say("heard");
            });
        } catch (IOException overOrBroken) {
            // Nothing can be heard any more.
        }
    }

    private void hear(File pipe, Signals signals, Consumer<String> warn, Runnable tellThreads) {
        try {
            readWords(pipe, word -> {
                if (word.equals(THREADS)) {
                    tellThreads.run();
                } else {
                    obey(word, signals);
                }
            });
        } catch (ClosedChannelException overHere) {
            return;
        } catch (IOException broken) {
            // As if it had ended.
        }
        warn.accept(
                "the shell of bin/muster, which passes signals on to Muster, was killed: stopping, as after SIGTERM");
        signals.passedOn(Signals.KILLED, KILL);
    }

    /** Those that stand in lines of their own, until the pipe ends. */
    private void readWords(File pipe, Consumer<String> heard) throws IOException {
        // Not a reader of the JDK's: one of a file's channel waits until its buffer is full.
        ByteBuffer read = ByteBuffer.allocate(MOST_READ);
        StringBuilder word = new StringBuilder();
        while (read(pipe, read.clear()) > 0) {
            read.flip();
            while (read.hasRemaining()) {
                char next = (char) read.get();
                if (next == '\n') {
                    heard.accept(word.toString());
                    word.setLength(0);
                } else {
                    word.append(next);
                }
            }
        }
    }

    private int read(File pipe, ByteBuffer buffer) throws IOException {
        @Nullable FileChannel open = channel;
        while (true) {
            try {
                return (open == null ? open(pipe) : open).read(buffer);
            } catch (ClosedByInterruptException ofNoMeaning) {
                // Only a plugin could have done that: the launcher interrupts no thread. The pipe itself is open.
                Thread.interrupted();
                open = null;
            }
        }
    }

    private void obey(String signal, Signals signals) {
        passOn(signal, signals);
        // The launcher may hang, in an engine for instance: its guard must know.
        while (!signals.awaitHeed(HEED)) {
            SuspendedThreads.resume();
        }
        say("heard");
    }

    private static void passOn(String signal, Signals signals) {
        SignalNames.number(signal).ifPresent(number -> signals.passedOn(signal, number));
    }

    /** What a stop by SIGTERM ends with, in case this JVM cannot tell any more. */
    public void endsAfterTerm(int code) {
        say("term " + code);
    }

    /** Whether this launcher has a guard. */
    public boolean isThere() {
        return words.isPresent();
    }

    /**
     * Code of a plugin runs from now on: what ends this JVM may be that code. Nobody reads what is said before this JVM ends, so
     * that this is said once for each.
     *
     * @param plugin its name for users, in one line
     */
    public void runs(String plugin) {
        say("plugin " + Printable.escape(plugin));
    }

    /** Somebody has called {@code System.exit}, which the launcher never does. */
    public void exits() {
        say("exits");
    }

    /** What a plan is made of that may need more memory than there is; a full heap ends this JVM at once. */
    public void plansWith(String input) {
        say("input " + input);
    }

    /**
     * A private directory is being made. Until there is a warden nobody but the guard can remove it when this JVM dies.
     *
     * @param path a name that would not come through unchanged is not told
     */
    public void removes(Path path) {
        if (PLAIN.matcher(path.toString()).matches()) {
            say("directory " + path);
        }
    }

    /**
     * Has the guard signal the groups of processes that have not ended, as far as is known here: it needs no open file for that. Any signal
     * but KILL is followed by CONT.
     */
    void signalsGroups(String signal, Collection<ProcessId> leaders) {
        say("signal " + signal
                + leaders.stream().map(leader -> " " + leader.pid()).collect(Collectors.joining()));
    }

    /** Who ends everything when this JVM dies: a shell that was stopped by then would never see that. */
    void isBackedBy(ProcessId warden) {
        say("warden " + warden.pid());
    }

    /** The launcher has done all it had to, and ends. */
    public void verdict(int code) {
        say("verdict " + code);
        // The end of a JVM takes 0.3 s while any of its threads waits for a file.
        @Nullable FileChannel open = channel;
        if (open != null) {
            close(open);
        }
    }

    private static void close(FileChannel pipe) {
        try {
            pipe.close();
        } catch (IOException unknown) {
            // It is closed all the same.
        }
    }

    /**
     * Where the errors of a process go that outlives this JVM, and is to write none: the guard of a JVM that died waits until
     * that process has ended.
     */
    ProcessBuilder.Redirect held() {
        return place == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.appendTo(place);
    }

    private void say(String line) {
        words.ifPresent(pipe -> {
            try {
                pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException guardHasDied) {
                // It is told nothing any more.
            }
        });
    }
}
