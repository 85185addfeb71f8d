package dev.muster.runtime.process;

import java.lang.reflect.Method;

/** Threads that code of a plugin has suspended, which JVMs before 20 let it do. One of the launcher's own would obey nothing any more. */
final class SuspendedThreads {

    private SuspendedThreads() {}

    /** Lets all of them go on, where the JVM can do that. */
    static void resume() {
        try {
            // Not in the JDK any more from 23 on; from 20 on it only throws.
            Method resume = Thread.class.getMethod("resume");
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                resume.invoke(thread);
            }
        } catch (ReflectiveOperationException unsupported) {
            // Nobody could have suspended one.
        }
    }
}
