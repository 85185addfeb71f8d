package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A jar that may bring an engine. Nothing of it is loaded before somebody asks. */
final class Candidate {

    private final PluginJar jar;
    private final Optional<DeclaredEngine> declared;
    private final String place;
    private final boolean isOwn;
    private final Supplier<ClassLoader> loader;
    private final PluginWatch watch;
    private final List<String> warnings;
    private @Nullable Opened opened;

    /**
     * What came out of a jar.
     *
     * @param failures what those of its classes did that are no engines
     */
    record Opened(List<LoadedEngine> engines, List<Misbehaviour> failures) {}

    /** @param loader makes the class loader of the jar */
    private Candidate(
            PluginJar jar,
            Optional<DeclaredEngine> declared,
            String place,
            boolean isOwn,
            Supplier<ClassLoader> loader,
            PluginWatch watch,
            List<String> warnings) {
        this.jar = jar;
        this.declared = declared;
        this.place = place;
        this.isOwn = isOwn;
        this.loader = loader;
        this.watch = watch;
        this.warnings = warnings;
    }

    /** An engine of the launcher's own. */
    static Candidate own(PluginJar jar, DeclaredEngine declared, ClassLoader loader) {
        return new Candidate(
                jar, Optional.of(declared), jar.place(), true, () -> loader, PluginWatch.NOBODY, List.of());
    }

    /**
     * A jar of somebody else's.
     *
     * @param place how users are told of the directory that it lies in
     * @param loader makes the class loader of the jar
     * @param warnings for whoever uses it
     */
    static Candidate stranger(
            PluginJar jar, String place, Supplier<ClassLoader> loader, PluginWatch watch, List<String> warnings) {
        return new Candidate(jar, jar.engine(), place, false, loader, watch, warnings);
    }

    /** What it says of itself; empty: only its classes tell. */
    Optional<DeclaredEngine> declared() {
        return declared;
    }

    String place() {
        return place;
    }

    String jarPlace() {
        return jar.place();
    }

    boolean isOwn() {
        return isOwn;
    }

    boolean hasId(String id) {
        return declared.isPresent() && declared.get().id().equals(id);
    }

    /** Why its classes cannot run here, if they cannot. Reads them, and loads none. */
    Optional<String> misfit() {
        return isOwn ? Optional.empty() : SpiVersion.mismatch(jar);
    }

    /** One of its engines, as if it had been declared. */
    DeclaredEngine described(LoadedEngine engine) {
        EngineDescriptor descriptor = engine.descriptor();
        List<String> options =
                descriptor.options().stream().map(EngineOption::name).toList();
        return new DeclaredEngine(
                descriptor.id(), descriptor.summary(), jar.name(), jar.place(), jar.version(), jar.spi(), options);
    }

    /** What is wrong with it, as a sentence that names the jar. */
    String named(Misbehaviour failure) {
        return failure.how().startsWith(jar.name()) ? failure.how() : jar.name() + ": " + failure.how();
    }

    /** Makes the engines of all its classes, once; whatever is wrong with one does not hide the others. */
    Opened opened() {
        Opened known = opened;
        if (known == null) {
            known = open(declared.map(DeclaredEngine::id));
            opened = known;
        }
        return known;
    }

    /** @param id when it is found, no other class is looked at */
    private Opened open(Optional<String> id) {
        List<LoadedEngine> engines = new ArrayList<>();
        List<Misbehaviour> failures = new ArrayList<>();
        Optional<String> misfit = misfit();
        if (misfit.isPresent()) {
            failures.add(Misbehaviour.unusable(misfit.get()));
            return new Opened(engines, failures);
        }
        ClassLoader classes = loader.get();
        EngineCode code = isOwn ? EngineCode.own(jar.name()) : EngineCode.plugin(jar, classes, watch);
        for (ServiceFile.Provider provider : jar.providers()) {
            try {
                LoadedEngine engine = code.ask(() -> made(code, classes, provider.type()));
                engines.add(engine.warnedOf(warnings));
                if (id.equals(Optional.of(engine.descriptor().id()))) {
                    break;
                }
            } catch (Misbehaviour failed) {
                failures.add(failed);
            } catch (PlanException unplanned) {
                failures.add(Misbehaviour.of(unplanned));
            }
        }
        return new Opened(engines, failures);
    }

    /** Runs the code of the class. */
    private static LoadedEngine made(EngineCode code, ClassLoader classes, String name)
            throws ReflectiveOperationException, Misbehaviour {
        Class<?> type = Class.forName(name, true, classes);
        if (!Engine.class.isAssignableFrom(type)) {
            throw Misbehaviour.unusable("class " + name + ", which it names, is no " + Engine.class.getName());
        }
        return LoadedEngine.of(code, (Engine) type.getConstructor().newInstance());
    }
}
