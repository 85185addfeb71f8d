package dev.muster.runtime.errors;

/** The error that the system gives no thread. The JVM reports it as a lack of memory. */
public final class NoThread {

    /** The message for users. */
    public static final String WORDS =
            "no thread can be made: a limit is reached (ulimit -u, or pids.max of the container)";

    private NoThread() {}

    /** Whether an exception is this error. */
    public static boolean isIn(Throwable thrown) {
        return thrown instanceof OutOfMemoryError
                && String.valueOf(thrown.getMessage()).contains("native thread");
    }
}
