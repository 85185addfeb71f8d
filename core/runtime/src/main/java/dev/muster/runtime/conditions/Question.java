package dev.muster.runtime.conditions;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks by a command, again and again, from the moment on when a port is open. All conditions with the same command share it.
 */
final class Question {

    /** How long a run may take. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);
    /** Each run costs the host that is asked a process or two. */
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Condition.CommandEnds condition;
    private final @Nullable Probe port;
    private final Inquirer inquirer;
    private final Runnable wake;
    private final Backoff backoff = new Backoff(LONGEST_PAUSE);

    private @Nullable Attempt attempt;
    private boolean isStarted;
    private boolean isOver;
    private long due;
    private OptionalInt exitCode = OptionalInt.empty();
    private volatile String finding = "";

    /** A run that goes on, and what has come of it. */
    private static final class Attempt {
        private final AtomicReference<Inquirer.@Nullable Reply> reply = new AtomicReference<>();
        private Inquirer.@Nullable Run run;
    }

    /**
     * @param condition any of those that share the command
     * @param port looks after the port that must be open first, where there is one
     * @param wake makes the probing thread look again
     */
    Question(Condition.CommandEnds condition, @Nullable Probe port, Inquirer inquirer, Runnable wake, long now) {
        this.condition = condition;
        this.port = port;
        this.inquirer = inquirer;
        this.wake = wake;
        this.due = now;
    }

    long due() {
        return due;
    }

    boolean isWoken() {
        return attempt != null ? attempt.reply.get() != null : !isStarted && mayAsk();
    }

    void step(long now) {
        if (isOver) {
            due = now + Nanos.FOREVER;
        } else if (attempt != null) {
            take(attempt, now);
        } else if (!mayAsk()) {
            due = now + Nanos.FOREVER;
        } else if (!isStarted || now - due >= 0) {
            ask(now);
        }
    }

    /** What the command ended with last. */
    OptionalInt exitCode() {
        return exitCode;
    }

    /** A condition with this command has come true; nobody needs to ask any more. */
    void settle() {
        isOver = true;
    }

    /** Why a condition is not met, as a sentence. */
    String reason() {
        return finding.isEmpty() && port != null ? port.reason() : host() + ": " + finding();
    }

    /** The same in a few words. */
    String brief() {
        return finding.isEmpty() && port != null ? port.brief() : host() + " (" + finding() + ")";
    }

    /** Does not ask any more. */
    void close() {
        isOver = true;
        isStarted = true;
        if (attempt != null && attempt.run != null) {
            attempt.run.end();
        }
        attempt = null;
    }

    private boolean mayAsk() {
        return port == null || port.isMet();
    }

    private String finding() {
        return finding.isEmpty() ? "no answer to the first question yet" : finding;
    }

    private void ask(long now) {
        isStarted = true;
        Attempt next = new Attempt();
        attempt = next;
        due = now + PATIENCE;
        finding = finding();
        next.run = inquirer.ask(condition.command(), reply -> {
            next.reply.set(reply);
            wake.run();
        });
    }

    private void take(Attempt current, long now) {
        Inquirer.Reply reply = current.reply.get();
        if (reply == null && now - due < 0) {
            return;
        }
        attempt = null;
        due = now + backoff.next();
        if (reply != null) {
            exitCode = OptionalInt.of(reply.exitCode());
            finding = words(reply);
        } else {
            finding = "no answer within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + "s";
            if (current.run != null) {
                current.run.end();
            }
        }
    }

    private static String words(Inquirer.Reply reply) {
        return reply.lastLine().isBlank()
                ? "exit code " + reply.exitCode()
                : Printable.escape(reply.lastLine().strip());
    }

    private String host() {
        return Printable.escape(condition.host());
    }
}
