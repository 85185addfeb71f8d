package dev.muster.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals sent to the launcher. They are caught from the first moment on and kept until somebody listens, so that none is
 * lost while the launcher starts or waits.
 */
public final class Signals {

    /** What no launcher can catch: its start script was killed. */
    public static final String KILLED = "KILL";

    private static final int HUP = 1;
    private static final List<String> CAUGHT = List.of("TERM", "INT", "USR1", "USR2");

    private final List<ReceivedSignal> kept = new ArrayList<>();
    /** What the listener was told that asks the launcher to stop. */
    private final List<ReceivedSignal> told = new ArrayList<>();

    private final Map<String, Integer> received = new HashMap<>();
    private final Map<String, Integer> passedOn = new HashMap<>();
    private boolean isStopOrdered;
    private boolean isHeeded;
    /** Whether the listener only passes signals on, to somebody who says that he has taken one. */
    private boolean isPassedOn;

    private int untaken;
    private @Nullable Consumer<ReceivedSignal> listener;

    /**
     * A signal that arrived.
     *
     * @param name without SIG
     */
    public record ReceivedSignal(String name, int number) {

        /** SIGUSR1 and SIGUSR2 are for the ranks; all others ask the launcher to stop. */
        public boolean asksToStop() {
            return !name.startsWith("USR");
        }
    }

    private Signals() {}

    /**
     * Catches SIGTERM, SIGINT, SIGUSR1, SIGUSR2, and SIGHUP unless the caller had it ignored: a job under {@code nohup} goes on
     * when the terminal is closed.
     */
    public static Signals caught(IgnoredSignals ignored) {
        Signals signals = new Signals();
        for (String name : CAUGHT) {
            SunSignals.handle(name, signals::caught);
        }
        if (!ignored.contains(HUP)) {
            SunSignals.handle("HUP", signals::caught);
        }
        return signals;
    }

    /** An inbox that no signal of the operating system reaches: whoever holds it delivers. For tests and embedders. */
    public static Signals delivered() {
        return new Signals();
    }

    /** Delivers a signal as if it had been sent to the launcher. */
    public void deliver(String name, int number) {
        received(name, number);
    }

    /**
     * Delivers a signal that the launcher's parent got. What is sent to both, as Ctrl-C in a terminal is, counts once: the second
     * of one sender is the second, whatever the other has told.
     */
    synchronized void passedOn(String name, int number) {
        if (count(name, passedOn) > received.getOrDefault(name, 0)) {
            received(name, number);
        }
    }

    /** Delivers a signal that this process got itself. */
    synchronized void caught(String name, int number) {
        if (count(name, received) > passedOn.getOrDefault(name, 0)) {
            received(name, number);
        }
    }

    private static int count(String name, Map<String, Integer> counts) {
        return counts.merge(name, 1, Integer::sum);
    }

    /** Hands over what was kept and all that comes; replaces an earlier listener. */
    public synchronized void listen(Consumer<ReceivedSignal> next) {
        handTo(next, false);
    }

    /**
     * As {@link #listen}, for a listener that only passes signals on to another thread, which says {@link #taken} of each: it may hang.
     * After {@link #noneIsTaken} it need not any more.
     */
    public synchronized void passOn(Consumer<ReceivedSignal> next) {
        handTo(next, true);
    }

    private void handTo(Consumer<ReceivedSignal> next, boolean passesOn) {
        arePassedOn(passesOn);
        listener = next;
        kept.forEach(this::tell);
        kept.clear();
        notifyAll();
    }

    private void arePassedOn(boolean arePassedOn) {
        isPassedOn = arePassedOn;
        untaken = 0;
    }

    /** A signal that was passed on has come to where it is obeyed. */
    public synchronized void taken() {
        untaken--;
        notifyAll();
    }

    /** Whoever took what was passed on has done what he had to. */
    public synchronized void noneIsTaken() {
        arePassedOn(false);
        notifyAll();
    }

    /**
     * Nobody listens any more, until {@link #listen}: signals are kept again. What the last listener was told that asks the
     * launcher to stop counts as not taken.
     */
    public synchronized void keepAgain() {
        listener = null;
        arePassedOn(false);
        kept.addAll(told);
        told.clear();
    }

    private void tell(ReceivedSignal signal) {
        if (signal.asksToStop()) {
            told.add(signal);
        }
        untaken += isPassedOn ? 1 : 0;
        Objects.requireNonNull(listener).accept(signal);
    }

    /** The first signal that nobody has taken yet and that asks the launcher to stop. It stays for {@link #listen}. */
    public synchronized Optional<ReceivedSignal> stopRequest() {
        Optional<ReceivedSignal> request =
                kept.stream().filter(ReceivedSignal::asksToStop).findFirst();
        if (request.isPresent()) {
            isHeeded = true;
            notifyAll();
        }
        return request;
    }

    /**
     * Waits until somebody has taken notice of what was delivered, so far as it asks the launcher to stop, and has taken what is passed on.
     *
     * @return whether that is so; false after some time
     */
    @SuppressWarnings("WaitNotInLoop") // Its caller loops.
    synchronized boolean awaitHeed(Duration limit) {
        if (isUnheeded()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, limit.toNanos());
            } catch (InterruptedException ofNoMeaning) {
                // Only a plugin could have done that: the launcher interrupts no thread.
            }
        }
        return !isUnheeded();
    }

    private boolean isUnheeded() {
        return listener == null
                ? !isHeeded && kept.stream().anyMatch(ReceivedSignal::asksToStop)
                : isPassedOn && untaken > 0;
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

    private synchronized void received(String name, int number) {
        ReceivedSignal signal = new ReceivedSignal(name, number);
        if (listener == null) {
            kept.add(signal);
            notifyAll();
        } else {
            tell(signal);
        }
    }
}
