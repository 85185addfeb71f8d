package dev.muster.runtime.process;

import java.util.function.IntConsumer;
import sun.misc.Signal;

/** The only user of the JDK's unofficial signal API. Compiled apart from all other classes; see the module's pom. */
final class SunSignals {

    private SunSignals() {}

    /** Passes a signal, by its name without SIG, to the receiver from now on. */
    static void handle(String name, IntConsumer receiver) {
        Signal.handle(new Signal(name), signal -> receiver.accept(signal.getNumber()));
    }
}
