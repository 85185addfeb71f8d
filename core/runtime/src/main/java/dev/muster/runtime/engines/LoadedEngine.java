package dev.muster.runtime.engines;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.PlanException;
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

    /** A question to an engine. */
    public interface Question<T> {
        T ask(Engine engine) throws PlanException;
    }

    /**
     * Asks the engine something.
     *
     * @throws MusterException with the engine's words when it refuses; when it is broken, that this is no fault of Muster's
     */
    public <T> T ask(Question<T> question) {
        try {
            return question.ask(engine);
        } catch (PlanException refused) {
            throw new MusterException(ExitCode.of(refused.kind()), String.valueOf(refused.getMessage()), refused);
        } catch (RuntimeException | LinkageError broken) {
            throw isBroken(broken);
        }
    }

    private MusterException isBroken(Throwable how) {
        Optional<String> mismatch = SpiVersion.mismatch(engine.getClass(), how);
        if (mismatch.isPresent()) {
            return new MusterException(
                    ExitCode.UNAVAILABLE, "engine " + descriptor().id() + ": " + mismatch.get(), how);
        }
        return new MusterException(
                ExitCode.INTERNAL,
                "engine " + descriptor().id() + " (" + jar() + ") is broken: " + how
                        + ". Report it to the engine's author; --stacktrace shows where",
                how);
    }
}
