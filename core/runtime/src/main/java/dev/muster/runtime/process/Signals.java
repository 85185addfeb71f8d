package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals sent to the launcher, as the supervisor tells them. They are kept until somebody listens, so that none is lost while
 * the launcher starts or waits.
 */
public final class Signals {

    /** What no launcher can catch: its supervisor was killed. */
    public static final String KILLED = "KILL";

    /** What no process sends: the job's time is over. No signal has this number. */
    public static final int TIME_LIMIT = 0;

    private static final int QUIT = 3;
    private static final String PREFIX = "SIG";

    private final Runnable taken;
    private final Runnable onQuit;
    private final List<ReceivedSignal> kept = new ArrayList<>();
    /** What the listener was told that asks the launcher to stop. */
    private final List<ReceivedSignal> told = new ArrayList<>();
    /** Those of which whoever waits has said that he obeys them. */
    private final Set<Integer> obeyed = new HashSet<>();

    private boolean isStopOrdered;
    private @Nullable Consumer<ReceivedSignal> listener;

    /**
     * A signal that arrived.
     *
     * @param name without SIG; of the end of the job's time: what sets that
     */
    public record ReceivedSignal(String name, int number) {

        /** What asks for the stop, for sentences. */
        public String title() {
            return isTimeLimit() ? name : PREFIX + name;
        }

        public boolean isTimeLimit() {
            return number == TIME_LIMIT;
        }

        /** What the launcher ends with that it has stopped. */
        public int exitCode() {
            return isTimeLimit() ? ExitCode.TIME_LIMIT.code() : ExitCode.ofSignal(number);
        }

        /** SIGUSR1 and SIGUSR2 are for the ranks; all others ask the launcher to stop. */
        public boolean asksToStop() {
            return !name.startsWith("USR");
        }
    }

    /**
     * @param taken told of each signal that the launcher has begun to obey: the supervisor begins a stop itself that nobody obeys
     * @param onQuit run for each SIGQUIT, which asks for no stop
     */
    public Signals(Runnable taken, Runnable onQuit) {
        this.taken = taken;
        this.onQuit = onQuit;
    }

    /** An inbox that no signal of the operating system reaches: whoever holds it delivers. For tests and embedders. */
    public static Signals delivered() {
        return new Signals(() -> {}, () -> {});
    }

    /** Delivers a signal that was sent to the launcher. */
    public void deliver(int number) {
        if (number == QUIT) {
            onQuit.run();
        } else {
            received(new ReceivedSignal(SignalNames.of(number).substring(PREFIX.length()), number));
        }
    }

    /** The job's time is over: told as if a signal had been sent. */
    public void timeIsOver(String limit) {
        received(new ReceivedSignal(limit, TIME_LIMIT));
    }

    /** Hands over what was kept and all that comes; replaces an earlier listener, and says {@link #taken} of what it obeys. */
    public synchronized void listen(Consumer<ReceivedSignal> next) {
        listener = next;
        kept.forEach(this::tell);
        kept.clear();
        notifyAll();
    }

    /** Whoever listens has begun to obey a signal. */
    public void taken() {
        taken.run();
    }

    /**
     * Nobody listens any more, until {@link #listen}: signals are kept again. What the last listener was told that asks the
     * launcher to stop counts as not taken.
     */
    public synchronized void keepAgain() {
        listener = null;
        kept.addAll(told);
        told.clear();
    }

    private void tell(ReceivedSignal signal) {
        if (signal.asksToStop()) {
            told.add(signal);
        }
        Objects.requireNonNull(listener).accept(signal);
    }

    /** The first signal that nobody has taken yet and that asks the launcher to stop. It stays for {@link #listen}. */
    public synchronized Optional<ReceivedSignal> stopRequest() {
        Optional<ReceivedSignal> request =
                kept.stream().filter(ReceivedSignal::asksToStop).findFirst();
        if (request.isPresent() && obeyed.add(request.get().number())) {
            taken.run();
        }
        return request;
    }

    /** Ends all waits as a signal would, for another reason: another launcher of the job says that it is over. */
    public synchronized void orderStop() {
        isStopOrdered = true;
        notifyAll();
    }

    /** What {@link #orderStop} was told of is past. */
    public synchronized void withdrawOrder() {
        isStopOrdered = false;
    }

    /** Lets whoever waits in {@link #goOnAfter} look at what he waits for. */
    public synchronized void wake() {
        notifyAll();
    }

    /** Whether a signal that nobody has taken yet, or {@link #orderStop}, tells the launcher to stop. */
    public synchronized boolean areToStop() {
        return stopRequest().isPresent() || isStopOrdered;
    }

    /**
     * Lets time pass until {@link #areToStop}; may return earlier for no reason.
     *
     * @return whether to go on; {@code false} when the launcher was told to stop
     */
    @SuppressWarnings("WaitNotInLoop") // Whoever waits for more than a signal looks at a clock of its own.
    public synchronized boolean goOnAfter(Duration pause) {
        if (!areToStop()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, pause.toNanos());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return !areToStop();
    }

    private synchronized void received(ReceivedSignal signal) {
        if (listener == null) {
            kept.add(signal);
            notifyAll();
        } else {
            tell(signal);
        }
    }
}
