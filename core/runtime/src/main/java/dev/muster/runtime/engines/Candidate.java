package dev.muster.runtime.engines;

import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Engine;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;

/**
 * An engine that a jar declares. Nothing of it is loaded before somebody asks.
 *
 * @param classes that may be the engine
 * @param warnings for whoever uses it
 * @param made the engine, where it was made to be asked for its id
 */
record Candidate(
        DeclaredEngine declared,
        List<String> classes,
        EngineCode code,
        List<String> warnings,
        Optional<LoadedEngine> made) {

    /** An engine that nobody has made yet. */
    Candidate(DeclaredEngine declared, List<String> classes, EngineCode code, List<String> warnings) {
        this(declared, classes, code, warnings, Optional.empty());
    }

    /** Why it cannot be used with this SPI, if it cannot. */
    Optional<String> misfit() {
        return code.isOwn() ? Optional.empty() : SpiVersion.mismatch(declared);
    }

    /**
     * Makes the engine.
     *
     * @throws MusterException its code cannot be used
     */
    LoadedEngine load() {
        try {
            return made.isPresent() ? made.get() : declaredOne();
        } catch (Misbehaviour broken) {
            throw LoadedEngine.isBroken(declared.id(), declared.jar(), broken);
        } catch (PlanException unplanned) {
            throw LoadedEngine.isBroken(declared.id(), declared.jar(), Misbehaviour.of(unplanned));
        }
    }

    /** The engine of one of the classes, as if it had been declared. Runs its code. */
    Candidate asked(String type) throws Misbehaviour {
        try {
            LoadedEngine engine = make(type);
            return new Candidate(declared.by(engine.descriptor()), List.of(type), code, warnings, Optional.of(engine));
        } catch (PlanException unplanned) {
            throw Misbehaviour.of(unplanned);
        }
    }

    private LoadedEngine declaredOne() throws Misbehaviour, PlanException {
        String other = "";
        for (String type : classes) {
            LoadedEngine engine = make(type);
            other = engine.descriptor().id();
            if (other.equals(declared.id())) {
                return engine;
            }
        }
        throw Misbehaviour.another("it declares engine " + declared.id() + ", and brings only engine " + other);
    }

    private LoadedEngine make(String type) throws Misbehaviour, PlanException {
        Optional<String> misfit = misfit();
        if (misfit.isPresent()) {
            throw Misbehaviour.unusable(misfit.get());
        }
        return code.ask(() -> instance(type));
    }

    /** Runs the code of the class. */
    private LoadedEngine instance(String name) throws ReflectiveOperationException, Misbehaviour {
        Class<?> type = Class.forName(name, true, code.loader());
        if (!Engine.class.isAssignableFrom(type)) {
            throw Misbehaviour.unusable("class " + name + ", which it names, is no " + Engine.class.getName());
        }
        return LoadedEngine.of(code, (Engine) type.getConstructor().newInstance(), warnings);
    }
}
