package dev.muster.runtime.engines;

import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.PlanException;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An engine that can be used. */
public final class LoadedEngine {

    /** Characters of a refusal or a note that anybody reads: plugins may write any amount. */
    public static final int LONGEST_WORDS = 4096;

    private final EngineCode code;
    private final Engine engine;
    private final EngineDescriptor descriptor;
    private final KnownOptions options;
    private final List<String> warnings;

    private LoadedEngine(
            EngineCode code, Engine engine, EngineDescriptor descriptor, KnownOptions options, List<String> warnings) {
        this.code = code;
        this.engine = engine;
        this.descriptor = descriptor;
        this.options = options;
        this.warnings = List.copyOf(warnings);
    }

    /** An engine of the launcher's own, or of somebody who has put the launcher into a program. */
    public static LoadedEngine of(Engine engine) {
        URL place = engine.getClass().getProtectionDomain().getCodeSource().getLocation();
        String jar = place.getPath().replaceFirst("/$", "").replaceFirst(".*/", "");
        return of(EngineCode.own(jar, engine.getClass().getClassLoader()), engine, List.of());
    }

    /**
     * Asks an engine for its descriptor: that is its code, too.
     *
     * @param warnings what users should know about its jars
     * @throws IllegalArgumentException when its options cannot be added to Muster's
     */
    static LoadedEngine of(EngineCode code, Engine engine, List<String> warnings) {
        EngineDescriptor descriptor = code.checked(Objects.requireNonNull(engine.descriptor(), "it has no descriptor"));
        return new LoadedEngine(code, engine, descriptor, KnownOptions.with(descriptor), warnings);
    }

    /** What users should know about its jars. */
    public List<String> warnings() {
        return warnings;
    }

    Engine engine() {
        return engine;
    }

    /** Asked for once. */
    public EngineDescriptor descriptor() {
        return descriptor;
    }

    /** Those of Muster and of this engine. */
    public KnownOptions options() {
        return options;
    }

    /** The file name of the jar, or of the directory, that the engine came from. */
    public String jar() {
        return code.jar();
    }

    /** A question to an engine. */
    public interface Question<T> {
        T ask(Engine engine) throws PlanException;
    }

    /**
     * Asks the engine something.
     *
     * @throws MusterException with the engine's words when it refuses; when it is broken, that this is no fault of Muster's
     * @throws dev.muster.runtime.errors.StoppedException when the launcher is told to stop before a plugin answers
     */
    public <T> T ask(Question<T> question) {
        try {
            return code.ask(() -> answer(question));
        } catch (PlanException refused) {
            throw refusal(refused);
        } catch (Misbehaviour broken) {
            throw isBroken(descriptor.id(), jar(), broken);
        }
    }

    private <T> @Nullable T answer(Question<T> question) throws PlanException {
        T answer = question.ask(engine);
        return answer == null ? null : code.checked(answer);
    }

    private MusterException refusal(PlanException refused) {
        String words = refused.getMessage();
        if (words == null || words.isBlank() || refused.kind() == null) {
            return new MusterException(
                    ExitCode.INTERNAL,
                    "engine " + descriptor.id() + " (" + jar() + ") refuses the job without saying why. Report it to"
                            + " the engine's author",
                    refused);
        }
        return new MusterException(ExitCode.of(refused.kind()), Shortened.to(LONGEST_WORDS, words), refused);
    }

    /** What users are told of an engine whose code did something else than to answer. */
    static MusterException isBroken(String id, String jar, Misbehaviour broken) {
        String subject = "engine " + id + (broken.how().startsWith(jar) ? "" : " (" + jar + ")");
        String message = broken.kind() == BrokenEngine.Kind.MISBEHAVED
                ? subject + " is broken: " + broken.how() + ". Report it to the engine's author"
                : subject + ": " + broken.how();
        return new MusterException(broken.kind().exitCode(), message, broken);
    }
}
