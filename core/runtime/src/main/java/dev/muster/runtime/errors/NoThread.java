package dev.muster.runtime.errors;

/** That the system gives no thread. The JVM calls it a lack of memory. */
public final class NoThread {

    /** What users are told. */
    public static final String WORDS =
            "no thread can be made: a limit is reached (ulimit -u, or pids.max of the container)";

    private NoThread() {}

    /** Whether it says so. */
    public static boolean isIn(Throwable thrown) {
        return thrown instanceof OutOfMemoryError
                && String.valueOf(thrown.getMessage()).contains("native thread");
    }
}
