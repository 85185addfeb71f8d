package dev.muster.runtime.threads;

import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;

/** Makes threads that do not keep the launcher from ending, and tells when one of them breaks down. */
public final class Daemon {

    /** Not the handler of all threads of the JVM: one that a plugin has made may break down as it likes. */
    private static volatile Optional<BiConsumer<String, Throwable>> watcher = Optional.empty();

    private Daemon() {}

    /** Makes a thread and starts it. */
    public static void start(String name, Runnable work) {
        named(name).newThread(work).start();
    }

    /** Makes threads that are not started. */
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
            // Nothing can be made that would tell of it. The handler of all threads ends the launcher, and the
            // supervisor says why.
            thread.getThreadGroup().uncaughtException(thread, full);
        }
    }

    /**
     * Says who is told, from now on, of what none of these threads has caught: whoever waits for what that thread was to do would wait for
     * ever.
     *
     * @param broken gets the thread's name and what was thrown, on that thread; empty: nobody is told
     */
    public static void watch(Optional<BiConsumer<String, Throwable>> broken) {
        watcher = broken;
    }
}
