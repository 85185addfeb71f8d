package dev.muster.runtime.app;

import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.SupervisorListener;

/** What the supervisor tells before anything of a job runs: signals count, and whoever asks hears that the launcher is starting. */
final class LauncherEvents implements SupervisorListener {

    private final Signals signals;
    private final ControlServer control;

    LauncherEvents(Signals signals, ControlServer control) {
        this.signals = signals;
        this.control = control;
    }

    @Override
    public void signalled(int number) {
        signals.deliver(number);
    }

    /** Nothing can be started any more, and the code is told by whoever is left. */
    @Override
    public void lost() {
        signals.deliver(Signals.KILLED, SignalNames.KILL);
    }

    @Override
    public void requested(long connection, String line) {
        control.requested(connection, line);
    }
}
