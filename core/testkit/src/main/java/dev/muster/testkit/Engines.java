package dev.muster.testkit;

import dev.muster.spi.Engine;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Finds the engine under test as the runtime does, and asks it. */
public final class Engines {

    private static final String SERVICES = "META-INF/services/" + Engine.class.getName();

    /** Longer than Muster's own 10 s, for busy machines. */
    private static final int DEADLINE_S = 60;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(Engines::daemon);

    private Engines() {}

    /** A question to an engine. */
    interface Question<T> {
        T ask() throws PlanException;
    }

    /** The engine of this id. */
    public static Engine named(String id) {
        List<Engine> found = all().stream()
                .filter(engine -> engine.descriptor().id().equals(id))
                .toList();
        Rule.IDENTITY.require(
                found.size() == 1,
                SERVICES,
                found.size() + " engines have the id " + id + "; all that are found: "
                        + all().stream().map(Engines::name).toList(),
                "name the engine's class there, once, and give its descriptor the id that the test has");
        return found.get(0);
    }

    private static List<Engine> all() {
        try {
            return ServiceLoader.load(Engine.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .peek(engine -> Objects.requireNonNull(engine.descriptor(), name(engine) + ".descriptor() is null"))
                    .toList();
        } catch (ServiceConfigurationError | RuntimeException | LinkageError broken) {
            throw Rule.IDENTITY.broken(
                    SERVICES,
                    "an engine or its descriptor cannot be made: " + broken.getMessage() + cause(broken),
                    "make the class public, with a public constructor without parameters that does nothing, and its"
                            + " descriptor a constant",
                    broken);
        }
    }

    private static String cause(Throwable broken) {
        return broken.getCause() == null ? "" : ", because of " + broken.getCause();
    }

    static String name(Engine engine) {
        return engine.getClass().getName();
    }

    /**
     * The answer of an engine. A refusal of the engine is thrown on.
     *
     * @param where class, method and input, for messages
     */
    static <T> T ask(String where, Question<T> question) throws PlanException {
        try {
            T answer = onAThread(where, question);
            boolean hasNull = answer instanceof List<?> all && all.stream().anyMatch(Objects::isNull);
            Rule.REFUSALS.require(
                    answer != null && !hasNull, where, "it answers null", "answer, or refuse with a PlanException");
            return answer;
        } catch (ExecutionException failed) {
            Throwable broken = Objects.requireNonNull(failed.getCause());
            if (broken instanceof PlanException refusal) {
                check(refusal, where);
                throw refusal;
            }
            throw Rule.REFUSALS.broken(
                    where + place(broken),
                    "it throws " + broken,
                    "check the value first, and refuse it with a PlanException that names it",
                    broken);
        }
    }

    /** Asks on a separate thread. A thread that gives no answer in time is left running. */
    private static <T> T onAThread(String where, Question<T> question) throws ExecutionException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        AtomicReference<Thread> thread = new AtomicReference<>(Thread.currentThread());
        Future<T> answer = THREADS.submit(() -> {
            thread.set(Thread.currentThread());
            Thread.currentThread().setContextClassLoader(loader);
            return question.ask();
        });
        try {
            return answer.get(DEADLINE_S, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            late.setStackTrace(Objects.requireNonNull(thread.get()).getStackTrace());
            throw Rule.REFUSALS.broken(
                    where + place(late),
                    "it gives no answer within " + DEADLINE_S + " s",
                    "end each loop; Muster waits for 10 s",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancellationException(where + ": the test was interrupted");
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "engine");
        thread.setDaemon(true);
        return thread;
    }

    private static void check(PlanException refusal, String where) {
        String message = refusal.getMessage() == null ? "" : refusal.getMessage();
        Rule.REFUSALS.require(
                !message.isBlank(),
                where,
                "a PlanException without a message",
                "say what is wrong, where the value came from, and what to do");
        Rule.ENVIRONMENT.require(
                World.SECRETS.stream().noneMatch(message::contains),
                where,
                "the refusal shows a secret, such as the value of " + World.SECRET_NAME,
                "name the variable or option, not its value");
    }

    /** The innermost line of the engine in the stack trace. */
    private static String place(Throwable thrown) {
        return Stream.of(thrown.getStackTrace())
                .filter(frame -> !frame.getClassName().startsWith("java.")
                        && !frame.getClassName().startsWith("jdk.")
                        && !frame.getClassName().startsWith("dev.muster.spi."))
                .findFirst()
                .map(frame -> ", at " + frame)
                .orElse("");
    }
}
