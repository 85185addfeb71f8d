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
 * The code of a plugin. It runs on a thread of its own, with the plugin's class loader around it: one that does not come back is
 * left behind.
 */
final class PluginCode implements EngineCode {

    /** How long one question may take: engines only compute, and the largest tables take seconds. */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Between two looks whether the launcher was told to stop. They are counted, so that no time counts in which it stood still. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private final PluginJar jar;
    private final ClassLoader loader;
    private final PluginWatch watch;

    PluginCode(PluginJar jar, ClassLoader loader, PluginWatch watch) {
        this.jar = jar;
        this.loader = loader;
        this.watch = watch;
    }

    @Override
    public String jar() {
        return jar.name();
    }

    private String title() {
        String engine =
                jar.engine().map(declared -> " (engine " + declared.id() + ")").orElse("");
        return Printable.escape(jar.place()) + engine;
    }

    @Override
    public <T> T ask(Callable<@Nullable T> question) throws PlanException, Misbehaviour {
        FutureTask<Answer<T>> task = new FutureTask<>(() -> answer(question));
        Thread thread = Daemon.named("plugin " + jar.name()).newThread(task);
        thread.setContextClassLoader(loader);
        watch.begins(title());
        thread.start();
        try {
            return await(task, thread).get();
        } finally {
            // Only the plugin could have interrupted this thread, and what comes next must not end by it.
            Thread.interrupted();
        }
    }

    @Override
    public <T> T checked(T answer) {
        return PlainAnswer.of(answer);
    }

    private <T> Answer<T> await(FutureTask<Answer<T>> task, Thread thread) throws Misbehaviour {
        for (long looks = DEADLINE.dividedBy(LOOK); looks > 0; looks--) {
            try {
                return task.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (watch.areToStop()) {
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

    /** Runs on the plugin's thread. */
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
            Optional<String> otherSpi = SpiVersion.mismatch(jar, thrown);
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
