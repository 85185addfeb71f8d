package dev.muster.runtime.process;

import java.util.function.ObjIntConsumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** The only user of the JDK's unofficial signal API. Compiled apart from all other classes; see the module's pom. */
final class SunSignals implements SignalHandler {

    private final ObjIntConsumer<String> receiver;

    private SunSignals(ObjIntConsumer<String> receiver) {
        this.receiver = receiver;
    }

    /** Sends a signal, by its name without SIG, to the receiver from now on. */
    static void handle(String name, ObjIntConsumer<String> receiver) {
        Signal.handle(new Signal(name), new SunSignals(receiver));
    }

    @Override
    public void handle(Signal signal) {
        receiver.accept(signal.getName(), signal.getNumber());
    }
}
