package dev.muster.runtime.app;

import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.text.Printable;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes this JVM ready for code of plugins, before the first of it runs, and tells the supervisor whose code that is. */
final class PluginHost implements PluginListener {

    private final Signals signals;
    private final Consumer<String> runs;
    private final Console console;
    private final Consumer<String> ended;
    private final Runnable heapIsFull;
    private volatile String latest = "";

    /**
     * @param runs told whose code runs
     * @param ended called when somebody ends this JVM, which the launcher itself never does in that way, with the plugin's name
     * @param heapIsFull called when a thread has died of that; it ends this JVM
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
        return signals.areToStop();
    }

    @Override
    public void begins(String plugin) {
        if (latest.isEmpty()) {
            StandardStreams.provideForPlugins();
            Thread.setDefaultUncaughtExceptionHandler(this::died);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> ended.accept(latest), "end"));
        }
        if (!latest.equals(plugin)) {
            latest = plugin;
            runs.accept(plugin);
        }
    }

    /** Whose code has run last in this JVM; empty: nobody's but the launcher's own. */
    Optional<String> latest() {
        return latest.isEmpty() ? Optional.empty() : Optional.of(latest);
    }

    private void died(Thread thread, Throwable error) {
        if (error instanceof OutOfMemoryError && !NoThread.isIn(error)) {
            // What the launcher itself needs next may fail as well.
            heapIsFull.run();
        }
        console.warn("thread " + Printable.quote(thread.getName()) + " has died of "
                + error.getClass().getName());
    }
}
