package dev.muster.runtime.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One process of the warden. Every order is a line with a number, which comes back once the order has been carried out. For one
 * thread at a time.
 */
final class WardenShell {

    private static final List<String> BASH_PLACES = List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash");
    /** What would change how the shell itself works, or what it says. */
    private static final List<String> HARMFUL = List.of(
            RunMarker.VARIABLE, "LD_PRELOAD", "LD_LIBRARY_PATH", "POSIXLY_CORRECT", "BASH_COMPAT", "FUNCNEST", "TMOUT");

    /** It needs none of them, and bash takes more than a second for 20,000. */
    private static final int MOST_VARIABLES = 1000;

    /** An order must never fill the pipe, which takes 64 KiB: whoever writes to a shell that stands still would stand still too. */
    private static final int MOST_UNANSWERED = 200;

    private static final long ANSWER_LIMIT = TimeUnit.SECONDS.toNanos(1);
    /** What users are told of it then. */
    static final String SILENT = "did not answer for 1s";

    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(200);
    /** Whoever does not answer for so long may have been stopped. */
    private static final long DOUBT = TimeUnit.MILLISECONDS.toNanos(100);
    /** Who only waits for a processor answers sooner than another one could that has to begin first. */
    private static final long STARVED_LIMIT = TimeUnit.SECONDS.toNanos(5);

    private static final Duration TO_DIE = Duration.ofSeconds(1);
    private static final long LAST_ANSWERS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Process process;
    private final LongSupplier nanoClock;
    private final ProcessId id;
    private long sent;
    private long answered;
    private long partOfNumber;
    /** The order whose answer tells whether the shell still works. */
    private long asked;

    private long askedAt;
    private boolean wasMissed;

    private WardenShell(Process process, LongSupplier nanoClock) {
        this.process = process;
        this.nanoClock = nanoClock;
        this.id = ProcessTable.identify(process.pid()).orElse(new ProcessId(process.pid(), 0));
    }

    /**
     * @param settings variables for the script
     * @param guard waits for the shell's end when the launcher dies
     */
    static WardenShell start(Map<String, String> settings, Guard guard, LongSupplier nanoClock) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                List.of(ProcessLauncher.setsid(), bash(), "-p", "-c", WardenScript.text(), "warden"));
        Map<String, String> environment = builder.environment();
        // It must not be taken for one of the processes it ends, neither by itself nor by a launcher around this one.
        environment.keySet().removeAll(HARMFUL);
        if (environment.size() > MOST_VARIABLES) {
            environment.keySet().retainAll(Set.of("PATH"));
        }
        environment.putAll(settings);
        builder.directory(new File("/"));
        builder.redirectError(guard.held());
        try {
            return new WardenShell(Spawning.of(builder), nanoClock);
        } catch (OutOfMemoryError noThread) {
            // The JDK needs one for each process. A shell that was made all the same ends when it finds that nobody
            // talks to it.
            throw new IOException("no thread can be made", noThread);
        }
    }

    /** Where bash is. */
    static String bash() throws IOException {
        for (String place : BASH_PLACES) {
            if (Files.isExecutable(Path.of(place))) {
                return place;
            }
        }
        throw new IOException("bash is missing");
    }

    ProcessId id() {
        return id;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Gives an order without waiting for its answer, as long as not too many are missing.
     *
     * @return whether it has been given
     */
    boolean give(String order) {
        return write(order) && (sent - answered < MOST_UNANSWERED || awaitAnswer());
    }

    /**
     * Gives orders and waits for the last answer.
     *
     * @return whether it came, within a second; within five when it only waits for a processor
     */
    boolean order(List<String> orders) {
        return orders.stream().allMatch(this::write) && awaitAnswer();
    }

    /** How many orders it has got. */
    long sent() {
        return sent;
    }

    /**
     * Ends it.
     *
     * @param before how many orders it had got before some others
     * @return how many of those others it has carried out
     */
    int end(long before) {
        kill();
        awaitEnd(TO_DIE);
        // The JDK hands over what a process has written a moment after its end.
        long begin = nanoClock.getAsLong();
        do {
            LockSupport.parkNanos(LOOK);
            readAnswers();
        } while (answered < sent && nanoClock.getAsLong() - begin < LAST_ANSWERS);
        return (int) Math.max(0, answered - before);
    }

    /**
     * To be called now and then: asks whether it still works.
     *
     * @return whether it has not answered for a second; of two calls in succession, since whoever was stopped together with the
     *     launcher needs a moment
     */
    boolean isSilent() {
        readAnswers();
        if (answered >= asked) {
            wasMissed = false;
            asked = write(WardenOrders.PING) ? sent : asked;
            askedAt = nanoClock.getAsLong();
            return false;
        }
        long waited = nanoClock.getAsLong() - askedAt;
        boolean isLate = waited >= ANSWER_LIMIT && (ProcFiles.state(id.pid()) != 'R' || waited >= STARVED_LIMIT);
        boolean isSilent = isLate && wasMissed;
        wasMissed = isLate;
        return isSilent;
    }

    private boolean isHopeless(long waited) {
        return switch (ProcFiles.state(id.pid())) {
            case 'T', 't' -> true;
            case 'R' -> waited >= STARVED_LIMIT;
            default -> waited >= ANSWER_LIMIT;
        };
    }

    /** Why it has not answered. */
    String ailment() {
        return switch (ProcFiles.state(id.pid())) {
            case 'T', 't' -> "was stopped";
            case 'R' -> "did not answer for 5s";
            case 'X', 'Z' -> "was killed";
            default -> SILENT;
        };
    }

    void kill() {
        // The process itself would close its output, too, with the answers that nobody has read yet.
        process.toHandle().destroyForcibly();
    }

    /** Ends the pipe, as the launcher's death does. */
    void hangUp() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // Then nobody listens.
        }
    }

    /** Whether it has ended, within a time. */
    boolean awaitEnd(Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean write(String order) {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write((sent + 1 + " " + order + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
            sent++;
            return true;
        } catch (IOException shellIsGone) {
            return false;
        }
    }

    private boolean awaitAnswer() {
        long begin = nanoClock.getAsLong();
        while (true) {
            boolean isAlive = process.isAlive();
            readAnswers();
            if (answered >= sent) {
                return true;
            }
            long waited = nanoClock.getAsLong() - begin;
            if (!isAlive || (waited >= DOUBT && isHopeless(waited))) {
                return false;
            }
            LockSupport.parkNanos(waited >= DOUBT ? DOUBT / 10 : LOOK);
        }
    }

    private void readAnswers() {
        try {
            InputStream answers = process.getInputStream();
            for (int available = answers.available(); available > 0; available = answers.available()) {
                for (byte each : answers.readNBytes(available)) {
                    take(each);
                }
            }
        } catch (IOException shellIsGone) {
            // Whoever waits finds that it is not alive.
        }
    }

    private void take(byte ofAnswer) {
        if (ofAnswer == '\n') {
            answered = partOfNumber;
            partOfNumber = 0;
        } else {
            partOfNumber = 10 * partOfNumber + ofAnswer - '0';
        }
    }
}
