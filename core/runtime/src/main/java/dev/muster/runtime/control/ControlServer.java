package dev.muster.runtime.control;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.questions.JobQuestions;
import dev.muster.runtime.questions.RunningAttempt;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests over the launcher's socket. Each request is a line:
 *
 * <pre>
 * who            the answer is {@link RunningLauncher.Identity}
 * stop GRACE     in milliseconds, or - for the launcher's own: "stopping GRACE" now and at each change, "ended CODE" at the end
 * ps             one line of JSON
 * ask QUESTION   lines of JSON
 * </pre>
 *
 * <p>The answer {@code stopping GRACE} has {@code own} at its end if no user has set the grace.
 */
public final class ControlServer {

    /** Requests within this time were made at once: the longest grace of them holds. */
    private static final long AT_ONCE = Duration.ofSeconds(1).toNanos();

    private static final String OWN = " own";
    private static final String ASK = "ask ";
    private static final String UNKNOWN = "unknown";

    private final ProcessSupervisor supervisor;
    private final LongSupplier nanoClock;
    private @Nullable RunningAttempt attempt;
    private @Nullable String part;
    private @Nullable JobQuestions questions;
    private Optional<Duration> asked = Optional.empty();
    private long askedAt;

    public ControlServer(ProcessSupervisor supervisor, LongSupplier nanoClock) {
        this.supervisor = supervisor;
        this.nanoClock = nanoClock;
    }

    /** Sets the handler of questions. */
    public synchronized void setQuestions(JobQuestions next) {
        questions = next;
    }

    /** Sets the running attempt; empty: none runs. */
    public synchronized void setAttempt(Optional<RunningAttempt> next) {
        attempt = next.orElse(null);
        if (questions != null) {
            questions.setAttempt(next);
        }
    }

    /** Sets the part of the job that this launcher runs. */
    public synchronized void setPart(String next) {
        part = next;
    }

    /** The grace that {@code muster stop} asked for, if it did. */
    public synchronized Optional<Duration> requestedGrace() {
        return asked;
    }

    /** Handles a request. */
    public synchronized void handle(long connection, String line) {
        String[] words = line.split(" ", -1);
        Optional<Duration> grace = words.length == 2 ? grace(words[1]) : Optional.empty();
        boolean isOwnGrace = words.length == 2 && words[1].equals("-");
        if (words[0].equals("stop") && (grace.isPresent() || isOwnGrace)) {
            stop(connection, grace);
        } else if (line.startsWith(ASK) && questions != null) {
            questions.handleRequest(
                    line.substring(ASK.length()),
                    answer -> supervisor.control().replyWhole(connection, answer),
                    () -> supervisor.control().disconnect(connection));
        } else if (line.equals("ps")) {
            list(connection);
        } else if (line.equals("who")) {
            boolean isNested = supervisor.caller().variables().containsKey(RunMarker.VARIABLE);
            Optional<String> job = supervisor.lock().job();
            supervisor.control().reply(connection, RunningLauncher.Identity.line(isNested, job));
        } else {
            supervisor.control().reply(connection, UNKNOWN);
            supervisor.control().disconnect(connection);
        }
    }

    private static Optional<Duration> grace(String word) {
        return word.matches("[0-9]{1,15}") ? Optional.of(Duration.ofMillis(Long.parseLong(word))) : Optional.empty();
    }

    private void stop(long connection, Optional<Duration> grace) {
        supervisor.control().awaitEnd(connection);
        grace.ifPresent(this::setGrace);
        if (attempt == null) {
            replyGrace(asked.orElse(Duration.ZERO));
        } else {
            attempt.setGrace(grace.isPresent() ? asked : grace, this::replyGrace);
        }
        supervisor.reportSignal(SignalNames.TERM, grace);
    }

    private void setGrace(Duration grace) {
        long now = nanoClock.getAsLong();
        boolean isAtOnce = asked.isPresent() && now - askedAt < AT_ONCE;
        asked = Optional.of(isAtOnce && asked.get().compareTo(grace) > 0 ? asked.get() : grace);
        askedAt = now;
    }

    private synchronized void replyGrace(Duration grace) {
        supervisor.control().replyToWaiting("stopping " + grace.toMillis() + (asked.isPresent() ? "" : OWN));
    }

    private synchronized void replyList(long connection, Map<String, Object> list) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>(list);
        answer.put("part", part);
        answer.put("pid", ProcessHandle.current().pid());
        String text = line(answer);
        // The answer may be longer than the socket's buffer, and the calling thread must not wait.
        Daemon.start("list", () -> {
            supervisor.control().replyWhole(connection, text);
            supervisor.control().disconnect(connection);
        });
    }

    private static String line(Map<String, @Nullable Object> answer) {
        try {
            return Json.line(answer);
        } catch (LinkageError noFilesLeft) {
            // Without a free file descriptor the JVM cannot load the classes for JSON. The job goes on.
            return UNKNOWN;
        }
    }

    private void list(long connection) {
        if (attempt == null) {
            Map<String, Object> list = new LinkedHashMap<>();
            list.put("state", "starting");
            asked.ifPresent(grace -> list.put("grace", Durations.format(grace)));
            list.put("processes", List.of());
            replyList(connection, list);
        } else {
            attempt.list(list -> replyList(connection, list));
        }
    }
}
