package dev.muster.runtime.app;

import dev.muster.runtime.engines.PluginWatch;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.GuestStreams;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.text.Printable;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes this JVM ready for code of plugins, before the first of it runs, and tells the guard whose code that is. */
final class PluginHost implements PluginWatch {

    private final Signals signals;
    private final Guard guard;
    private final Console console;
    private final Consumer<String> ended;
    private volatile String latest = "";

    /** @param ended called when somebody ends this JVM, which the launcher itself never does in that way, with the plugin's name */
    PluginHost(Signals signals, Guard guard, Console console, Consumer<String> ended) {
        this.signals = signals;
        this.guard = guard;
        this.console = console;
        this.ended = ended;
    }

    @Override
    public boolean areToStop() {
        return signals.areToStop();
    }

    @Override
    public void begins(String plugin) {
        if (latest.isEmpty()) {
            GuestStreams.provide();
            Thread.setDefaultUncaughtExceptionHandler(this::died);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> ended.accept(latest), "end"));
        }
        if (!latest.equals(plugin)) {
            latest = plugin;
            guard.runs(plugin);
        }
    }

    /** Whose code has run last in this JVM; empty: nobody's but the launcher's own. */
    Optional<String> latest() {
        return latest.isEmpty() ? Optional.empty() : Optional.of(latest);
    }

    private void died(Thread thread, Throwable error) {
        console.warn("thread " + Printable.quote(thread.getName()) + " has died of "
                + error.getClass().getName());
    }
}
