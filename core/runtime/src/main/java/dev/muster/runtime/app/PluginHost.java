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
    private final Consumer<String> runs;
    private final Console console;
    private final Consumer<String> ended;
    private final Runnable heapIsFull;
    private volatile String latest = "";

    /**
     * @param runs is told which plugin's code runs
     * @param ended called with the plugin's name when something ends this JVM by System.exit, which the launcher never calls
     * @param heapIsFull called when a thread has died because the heap is full; it ends this JVM
     */
    PluginHost(Signals signals, Consumer<String> runs, Console console, Consumer<String> ended, Runnable heapIsFull) {
        this.signals = signals;
        this.runs = runs;
        this.console = console;
        this.ended = ended;
        this.heapIsFull = heapIsFull;
    }

    @Override
    public boolean areToStop() {
        return signals.isStopRequested();
    }

    @Override
    public void begins(String plugin) {
        if (latest.isEmpty()) {
            StandardStreams.redirectForPlugins();
            Thread.setDefaultUncaughtExceptionHandler(this::died);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> ended.accept(latest), "end"));
        }
        if (!latest.equals(plugin)) {
            latest = plugin;
            runs.accept(plugin);
        }
    }

    /** The plugin whose code has run last in this JVM; empty: no plugin's code has run. */
    Optional<String> latest() {
        return latest.isEmpty() ? Optional.empty() : Optional.of(latest);
    }

    private void died(Thread thread, Throwable error) {
        if (error instanceof OutOfMemoryError && !NoThread.isIn(error)) {
            // The next step of the launcher may fail in the same way.
            heapIsFull.run();
        }
        console.warn("thread " + Printable.quote(thread.getName()) + " has died of "
                + error.getClass().getName());
    }
}
