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
 * The signals sent to the launcher, as the supervisor reports them. They are kept until there is a listener, so that none is lost while the
 * launcher starts or waits.
 */
public final class Signals {

    /** Stands for a signal that no launcher can catch: its supervisor was killed. */
    public static final String KILL = "KILL";

    /** Stands for the end of the job's time. No signal has this number. */
    public static final int TIME_LIMIT = 0;

    private static final int QUIT = 3;
    private static final String PREFIX = "SIG";

    private final Runnable taken;
    private final Runnable onQuit;
    private final List<ReceivedSignal> kept = new ArrayList<>();
    /** Signals passed to the listener that ask the launcher to stop. */
    private final List<ReceivedSignal> told = new ArrayList<>();
    /** Signals that {@link #stopRequest} has reported as taken. */
    private final Set<Integer> obeyed = new HashSet<>();

    private boolean isStopOrdered;
    private @Nullable Consumer<ReceivedSignal> listener;

    /**
     * A signal that arrived.
     *
     * @param name without SIG; for the end of the job's time: the time limit and its origin
     */
    public record ReceivedSignal(String name, int number) {

        /** The reason of the stop, for messages. */
        public String title() {
            return isTimeLimit() ? name : PREFIX + name;
        }

        public boolean isTimeLimit() {
            return number == TIME_LIMIT;
        }

        /** The exit code of a launcher that this signal has stopped. */
        public int exitCode() {
            return isTimeLimit() ? ExitCode.TIME_LIMIT.code() : ExitCode.ofSignal(number);
        }

        /** SIGUSR1 and SIGUSR2 are for the ranks; all others ask the launcher to stop. */
        public boolean isStopRequest() {
            return !name.startsWith("USR");
        }
    }

    /**
     * @param taken called for each signal that the launcher has begun to obey; otherwise the supervisor begins the stop itself
     * @param onQuit called for each SIGQUIT, which is no stop
     */
    public Signals(Runnable taken, Runnable onQuit) {
        this.taken = taken;
        this.onQuit = onQuit;
    }

    /** Signals without the operating system: only {@link #deliver} adds them. For tests and embedders. */
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

    /** The job's time is over. It is handled like a signal. */
    public void onTimeLimit(String limit) {
        received(new ReceivedSignal(limit, TIME_LIMIT));
    }

    /** Sets the listener for kept and later signals, instead of the one before. It calls {@link #confirmStop} when it obeys one. */
    public synchronized void listen(Consumer<ReceivedSignal> next) {
        listener = next;
        kept.forEach(this::tell);
        kept.clear();
        notifyAll();
    }

    /** The listener has begun to obey a signal. */
    public void confirmStop() {
        taken.run();
    }

    /**
     * Removes the listener until {@link #listen}: signals are kept again. Signals to stop that the last listener got are kept again too.
     */
    public synchronized void removeListener() {
        listener = null;
        kept.addAll(told);
        told.clear();
    }

    private void tell(ReceivedSignal signal) {
        if (signal.isStopRequest()) {
            told.add(signal);
        }
        Objects.requireNonNull(listener).accept(signal);
    }

    /** The first kept signal that asks the launcher to stop. It stays for {@link #listen}. */
    public synchronized Optional<ReceivedSignal> stopRequest() {
        Optional<ReceivedSignal> request =
                kept.stream().filter(ReceivedSignal::isStopRequest).findFirst();
        if (request.isPresent() && obeyed.add(request.get().number())) {
            taken.run();
        }
        return request;
    }

    /** Ends all waits in the same way as a signal: another launcher says that the job is over. */
    public synchronized void orderStop() {
        isStopOrdered = true;
        notifyAll();
    }

    /** Withdraws {@link #orderStop}. */
    public synchronized void withdrawOrder() {
        isStopOrdered = false;
    }

    /** Wakes all callers of {@link #sleep}, so that they check what they wait for. */
    public synchronized void wake() {
        notifyAll();
    }

    /** Whether a kept signal or {@link #orderStop} tells the launcher to stop. */
    public synchronized boolean isStopRequested() {
        return stopRequest().isPresent() || isStopOrdered;
    }

    /**
     * Waits for the pause, or until {@link #isStopRequested}; may return earlier without a reason.
     *
     * @return whether to go on; {@code false}: the launcher was told to stop
     */
    @SuppressWarnings("WaitNotInLoop") // Callers that wait for more than a signal check their own clock.
    public synchronized boolean sleep(Duration pause) {
        if (!isStopRequested()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, pause.toNanos());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return !isStopRequested();
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
