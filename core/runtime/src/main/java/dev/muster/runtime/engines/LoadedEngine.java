package dev.muster.runtime.engines;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import java.util.Optional;

/**
 * An engine that can be used.
 *
 * @param descriptor asked for once
 * @param options those of Muster and of this engine
 */
public record LoadedEngine(Engine engine, EngineDescriptor descriptor, OptionTable options) {

    /** The file name of the jar, or of the directory, that the engine came from. */
    public String jar() {
        return JarName.of(engine.getClass());
    }

    /** What the manifest of that jar says, if it says anything. */
    public Optional<String> version() {
        return Optional.ofNullable(engine.getClass().getPackage().getImplementationVersion());
    }
}
