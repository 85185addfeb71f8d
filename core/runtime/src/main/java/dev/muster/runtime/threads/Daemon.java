package dev.muster.runtime.threads;

import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;

/** Makes threads that do not keep the launcher from ending, and tells when one of them breaks down. */
public final class Daemon {

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
            return thread;
        };
    }

    /**
     * Says who is told, from now on, of what no thread has caught: whoever waits for what that thread was to do would wait for
     * ever.
     *
     * @param broken gets the thread's name and what was thrown, on that thread
     * @return ends it, when it is closed
     */
    public static Watch watch(BiConsumer<String, Throwable> broken) {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> broken.accept(thread.getName(), thrown));
        return () -> Thread.setDefaultUncaughtExceptionHandler(before);
    }

    /** As long as it is open somebody is told. */
    public interface Watch extends AutoCloseable {

        @Override
        void close();
    }
}
