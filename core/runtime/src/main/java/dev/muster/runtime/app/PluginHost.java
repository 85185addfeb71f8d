package dev.muster.runtime.app;

import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.text.Printable;
import java.util.Optional;
import java.util.function.Consumer;

/** Prepares this JVM before the first code of a plugin runs, and tells the supervisor whose code runs. */
final class PluginHost implements PluginListener {

    private final Signals signals;
    private final Consumer<String> onCalled;
    private final Console console;
    private final Consumer<String> onExit;
    private final Runnable onOom;
    private volatile String latest = "";

    /**
     * @param onCalled is told which plugin's code runs
     * @param onExit called with the plugin's name when something ends this JVM by System.exit, which the launcher never calls
     * @param onOom called when a thread has died because the heap is full; it ends this JVM
     */
    PluginHost(Signals signals, Consumer<String> onCalled, Console console, Consumer<String> onExit, Runnable onOom) {
        this.signals = signals;
        this.onCalled = onCalled;
        this.console = console;
        this.onExit = onExit;
        this.onOom = onOom;
    }

    @Override
    public boolean isStopping() {
        return signals.isStopRequested();
    }

    @Override
    public void onCall(String plugin) {
        if (latest.isEmpty()) {
            StandardStreams.redirectForPlugins();
            Thread.setDefaultUncaughtExceptionHandler(this::handleUncaught);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> onExit.accept(latest), "end"));
        }
        if (!latest.equals(plugin)) {
            latest = plugin;
            onCalled.accept(plugin);
        }
    }

    /** The plugin whose code has run last in this JVM; empty: no plugin's code has run. */
    Optional<String> latest() {
        return latest.isEmpty() ? Optional.empty() : Optional.of(latest);
    }

    private void handleUncaught(Thread thread, Throwable error) {
        if (error instanceof OutOfMemoryError && !NoThread.isIn(error)) {
            // The next step of the launcher may fail in the same way.
            onOom.run();
        }
        console.warn("thread " + Printable.quote(thread.getName()) + " has died of "
                + error.getClass().getName());
    }
}
