package dev.muster.runtime.engines;

import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.plugins.AnswerCheck;
import dev.muster.runtime.plugins.PluginCaller;
import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.ServiceLoader;

/** An engine that can be used. */
public final class LoadedEngine {

    private final PluginCaller caller;
    private final Engine engine;
    private final EngineDescriptor descriptor;
    private final KnownOptions options;
    private final List<String> warnings;

    private LoadedEngine(PluginCaller caller, Engine engine, List<String> warnings) {
        this.caller = caller;
        this.engine = engine;
        this.descriptor = AnswerCheck.of(engine.descriptor());
        this.options = KnownOptions.with(descriptor);
        this.warnings = warnings;
    }

    /** A built-in engine, or one of a program that embeds the launcher. */
    public static LoadedEngine of(Engine engine) {
        PluginCaller caller = new PluginCaller("engine", engine.descriptor().id(), null, PluginListener.NOBODY);
        return caller.call(() -> new LoadedEngine(caller, engine, List.of()));
    }

    /** @throws dev.muster.runtime.errors.MusterException when its code cannot be used */
    static LoadedEngine ofPlugin(String id, PluginJar jar, PluginListener listener) {
        PluginCaller caller = new PluginCaller("engine", id, jar, listener);
        return caller.call(() -> {
            String others = "no engine at all";
            for (Engine engine : ServiceLoader.load(Engine.class, jar.loader())) {
                LoadedEngine loaded = new LoadedEngine(caller, engine, jar.warnings());
                if (loaded.descriptor.id().equals(id)) {
                    return loaded;
                }
                others = "only engine " + loaded.descriptor.id();
            }
            throw caller.broken("it declares engine " + id + ", and brings " + others);
        });
    }

    /** What users should know about its jars. */
    public List<String> warnings() {
        return warnings;
    }

    /** The descriptor. The engine was asked for it once. */
    public EngineDescriptor descriptor() {
        return descriptor;
    }

    /** The options of Muster and of this engine. */
    public KnownOptions options() {
        return options;
    }

    /** A question to an engine. */
    public interface Question<T> {
        T ask(Engine engine) throws PlanException;
    }

    /**
     * Asks the engine something.
     *
     * @throws dev.muster.runtime.errors.MusterException with the engine's words when it refuses, or with the failure of a broken engine
     * @throws dev.muster.runtime.errors.StoppedException when the launcher is told to stop before a plugin answers
     */
    public <T> T ask(Question<T> question) {
        return caller.call(() -> question.ask(engine));
    }
}
