package dev.muster.runtime.engines;

import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.PlanException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The code of an engine, and the way in which it is called. That of a plugin runs on a thread of its own, with the plugin's class
 * loader around it: one that does not come back is left behind.
 */
final class EngineCode {

    /** How long one question may take: engines only compute, and the largest tables take seconds. */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Between two looks whether the launcher was told to stop. They are counted, so that no time counts in which it stood still. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private final String jar;
    private final ClassLoader loader;
    private final @Nullable Plugin plugin;

    private record Plugin(DeclaredEngine engine, PluginWatch watch) {}

    private EngineCode(String jar, ClassLoader loader, @Nullable Plugin plugin) {
        this.jar = jar;
        this.loader = loader;
        this.plugin = plugin;
    }

    /** The launcher's own, called as any other code of the launcher. */
    static EngineCode own(String jar, ClassLoader loader) {
        return new EngineCode(jar, loader, null);
    }

    static EngineCode plugin(DeclaredEngine engine, ClassLoader loader, PluginWatch watch) {
        return new EngineCode(engine.jar(), loader, new Plugin(engine, watch));
    }

    /** Of the engine's classes. */
    ClassLoader loader() {
        return loader;
    }

    boolean isOwn() {
        return plugin == null;
    }

    /** The file name of the jar, or of the directory, that it comes from. */
    String jar() {
        return jar;
    }

    /**
     * Has the code answer.
     *
     * @param question calls the code
     * @return never null
     * @throws PlanException the engine's refusal
     * @throws Misbehaviour whatever else the code does but answer
     */
    <T> T ask(Callable<@Nullable T> question) throws PlanException, Misbehaviour {
        return plugin == null ? answer(question).get() : ask(plugin, question);
    }

    /**
     * What the code answers, as far as that may be used; called while it answers.
     *
     * @throws IllegalArgumentException when it may not
     */
    <T> T checked(T answer) {
        return plugin == null ? answer : PlainAnswer.of(answer);
    }

    private <T> T ask(Plugin asked, Callable<@Nullable T> question) throws PlanException, Misbehaviour {
        FutureTask<Answer<T>> task = new FutureTask<>(() -> answer(question));
        Thread thread = Daemon.named("plugin " + jar).newThread(task);
        thread.setContextClassLoader(loader);
        String id = asked.engine().id();
        asked.watch().begins(Printable.escape(asked.engine().place()) + (id.isEmpty() ? "" : " (engine " + id + ")"));
        thread.start();
        try {
            return await(asked, task, thread).get();
        } finally {
            // Only the plugin could have interrupted this thread, and what comes next must not end by it.
            Thread.interrupted();
        }
    }

    private static <T> Answer<T> await(Plugin asked, FutureTask<Answer<T>> task, Thread thread) throws Misbehaviour {
        for (long looks = DEADLINE.dividedBy(LOOK); looks > 0; looks--) {
            try {
                return task.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (asked.watch().areToStop()) {
                    throw new StoppedException();
                }
            } catch (InterruptedException ofNoMeaning) {
                // Only the plugin could have done that: the launcher interrupts no thread.
            } catch (ExecutionException fullHeap) {
                if (fullHeap.getCause() instanceof OutOfMemoryError full) {
                    throw full;
                }
                throw Misbehaviour.of(fullHeap);
            }
        }
        throw Misbehaviour.noAnswer(DEADLINE.toSeconds() + " s", thread.getStackTrace());
    }

    /** Runs on the plugin's thread, where it is one. */
    @SuppressWarnings("IllegalCatch")
    private <T> Answer<T> answer(Callable<@Nullable T> question) {
        try {
            T value = question.call();
            return value == null
                    ? new Answer<>(null, null, Misbehaviour.nothingAnswered())
                    : new Answer<>(value, null, null);
        } catch (PlanException refused) {
            return new Answer<>(null, refused, null);
        } catch (Misbehaviour known) {
            return new Answer<>(null, null, known);
        } catch (OutOfMemoryError full) {
            // A big input may be the cause, which is no fault of the plugin.
            throw full;
        } catch (Throwable thrown) {
            return new Answer<>(null, null, described(thrown));
        }
    }

    @SuppressWarnings("IllegalCatch")
    private Misbehaviour described(Throwable thrown) {
        try {
            Optional<String> otherSpi =
                    Optional.ofNullable(plugin).flatMap(known -> SpiVersion.mismatch(known.engine(), thrown));
            return otherSpi.isPresent() ? Misbehaviour.ofOtherSpi(otherSpi.get(), thrown) : Misbehaviour.of(thrown);
        } catch (Throwable unspeakable) {
            // What was thrown can be of a class of the plugin.
            return Misbehaviour.of(new IllegalStateException(
                    "it throws what cannot be told: " + thrown.getClass().getName()));
        }
    }

    private record Answer<T>(
            @Nullable T value,
            @Nullable PlanException refusal,
            @Nullable Misbehaviour misbehaviour) {

        T get() throws PlanException, Misbehaviour {
            if (refusal != null) {
                throw refusal;
            }
            if (misbehaviour != null) {
                throw misbehaviour;
            }
            if (value == null) {
                throw Misbehaviour.nothingAnswered();
            }
            return value;
        }
    }
}
