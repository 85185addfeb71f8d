package dev.muster.runtime.threads;

import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;

/** Makes daemon threads, which do not keep the launcher alive. Reports their uncaught exceptions. */
public final class Daemon {

    /** Only for these threads, not for all of the JVM: a plugin's own thread may fail without an effect. */
    private static volatile Optional<BiConsumer<String, Throwable>> watcher = Optional.empty();

    private Daemon() {}

    /** Makes a thread and starts it. */
    public static void start(String name, Runnable work) {
        named(name).newThread(work).start();
    }

    /** A factory for daemon threads of this name. */
    public static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler(Daemon::tell);
            return thread;
        };
    }

    private static void tell(Thread thread, Throwable thrown) {
        try {
            watcher.ifPresentOrElse(
                    told -> told.accept(thread.getName(), thrown),
                    () -> thread.getThreadGroup().uncaughtException(thread, thrown));
        } catch (OutOfMemoryError full) {
            // There is no memory for the report. The JVM's default handler ends the launcher, and the supervisor tells
            // why.
            thread.getThreadGroup().uncaughtException(thread, full);
        }
    }

    /**
     * Sets the receiver of uncaught exceptions. Without it, code that waits for the work of a failed thread would wait for ever.
     *
     * @param broken gets the thread's name and the exception, on that thread; empty: no receiver
     */
    public static void setHandler(Optional<BiConsumer<String, Throwable>> broken) {
        watcher = broken;
    }
}
