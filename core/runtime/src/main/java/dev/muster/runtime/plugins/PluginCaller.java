package dev.muster.runtime.plugins;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.PlanException;
import java.time.Duration;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the code of an engine or of a platform. A plugin's code runs on its own thread, and a thread that hangs is left behind. Each
 * failure of the code becomes one sentence that names the plugin and its jar.
 *
 * @param kind what it is, for messages
 * @param plugin its jar; null: the code is part of the launcher, and called directly
 */
public record PluginCaller(String kind, String id, @Nullable PluginJar plugin, PluginListener listener) {

    /** The longest refusal that is shown, in characters: plugins may write any amount. */
    private static final int LONGEST_WORDS = 4096;

    /** The time limit of one call. Plugins only compute, and the largest tables take seconds. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** The pause between checks for a stop request. The time limit counts checks, so the time of a suspended launcher does not count. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private static final int LONGEST = 1000;

    /**
     * Calls the code.
     *
     * @return never null
     * @throws MusterException with the plugin's refusal, or with the failure of its code
     * @throws StoppedException when the launcher was told to stop before the plugin answered
     */
    public <T> T call(Callable<@Nullable T> question) {
        if (plugin == null) {
            return answer(question);
        }
        FutureTask<T> task = new FutureTask<>(() -> answer(question));
        Thread thread = Daemon.named("plugin " + plugin.name()).newThread(task);
        thread.setContextClassLoader(plugin.loader());
        listener.onCall(Printable.escape(plugin.place()) + " (" + kind + " " + id + ")");
        thread.start();
        try {
            return await(task, thread);
        } finally {
            // Only the plugin could have interrupted this thread. The launcher's next wait must not end because of
            // that.
            Thread.interrupted();
        }
    }

    private <T> T await(FutureTask<T> task, Thread thread) {
        for (long looks = DEADLINE.dividedBy(LOOK); looks > 0; looks--) {
            try {
                return task.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (listener.isStopping()) {
                    throw new StoppedException();
                }
            } catch (InterruptedException ofNoMeaning) {
                // Only the plugin could have done that: the launcher interrupts no thread.
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof Error fullHeap) {
                    throw fullHeap;
                }
                throw failed.getCause() instanceof MusterException known ? known : broken(failed.toString());
            }
        }
        throw failure(
                ExitCode.INTERNAL, "it gives no answer within " + DEADLINE.toSeconds() + " s", thread.getStackTrace());
    }

    /** Runs on the plugin's thread, since an exception may be of a class of the plugin, too. */
    @SuppressWarnings("IllegalCatch")
    private <T> T answer(Callable<@Nullable T> question) {
        try {
            @Nullable T value = question.call();
            return plugin == null ? Objects.requireNonNull(value, "it answers null") : AnswerCheck.of(value);
        } catch (PlanException refused) {
            throw refusal(refused);
        } catch (MusterException known) {
            throw known;
        } catch (Throwable thrown) {
            throw failure(cause(thrown));
        }
    }

    private static Throwable cause(Throwable thrown) {
        boolean isAround = thrown instanceof ServiceConfigurationError || thrown instanceof ExceptionInInitializerError;
        @Nullable Throwable within = thrown.getCause();
        Throwable cause = isAround && within != null ? cause(within) : thrown;
        if (cause instanceof OutOfMemoryError full) {
            // A large input may be the reason, which is not the plugin's fault.
            throw full;
        }
        return cause;
    }

    private MusterException failure(Throwable thrown) {
        boolean isIncomplete = thrown instanceof ServiceConfigurationError
                || thrown instanceof ReflectiveOperationException
                || (thrown instanceof LinkageError && !(thrown instanceof ExceptionInInitializerError));
        String version = thrown instanceof LinkageError && plugin != null ? ". " + SpiVersion.versions(plugin) : "";
        return failure(
                isIncomplete ? ExitCode.UNAVAILABLE : ExitCode.INTERNAL,
                Shortened.to(LONGEST, text(thrown)) + version,
                thrown.getStackTrace());
    }

    @SuppressWarnings("IllegalCatch")
    private static String text(Throwable thrown) {
        try {
            @Nullable String said = thrown.getMessage();
            String name = thrown.getClass().getSimpleName();
            return said == null || said.isBlank() ? name : name + ": " + said;
        } catch (Throwable unspeakable) {
            return "it throws what cannot be told: " + thrown.getClass().getName();
        }
    }

    /** The failure of a plugin that does not keep its contract. */
    public MusterException broken(String how) {
        return failure(ExitCode.INTERNAL, how, new Throwable().getStackTrace());
    }

    private MusterException failure(ExitCode code, String how, StackTraceElement... where) {
        String subject = subject();
        Exception cause = new Exception(how);
        cause.setStackTrace(where);
        return new MusterException(
                code,
                code == ExitCode.INTERNAL ? subject + " is broken: " + how + report() : subject + ": " + how,
                cause);
    }

    private MusterException refusal(PlanException refused) {
        @Nullable String words = refused.getMessage();
        if (words == null || words.isBlank() || refused.kind() == null) {
            return new MusterException(
                    ExitCode.INTERNAL, subject() + " refuses the job without saying why" + report(), refused);
        }
        return new MusterException(ExitCode.of(refused.kind()), Shortened.to(LONGEST_WORDS, words), refused);
    }

    private String subject() {
        return kind + " " + id + " (" + (plugin == null ? PluginJar.OWN : plugin.name()) + ")";
    }

    private String report() {
        return ". Report it to the " + kind + "'s author";
    }
}
