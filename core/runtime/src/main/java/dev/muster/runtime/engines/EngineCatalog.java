package dev.muster.runtime.engines;

import dev.muster.runtime.config.OtherEngines;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All engines: those of the launcher's own jar and those of plugins. Nothing is loaded before somebody asks. */
public final class EngineCatalog implements OtherEngines {

    private static final String CLASS_PATH = "class path";

    private final ClassLoader builtIn;
    private final Optional<Path> packageHome;

    private @Nullable Findings findings;

    /** @param packageHome where the directory {@code plugins} may be */
    public EngineCatalog(Optional<Path> packageHome) {
        this(EngineCatalog.class.getClassLoader(), packageHome);
    }

    /** @param builtIn finds the engines that are part of the launcher */
    EngineCatalog(ClassLoader builtIn, Optional<Path> packageHome) {
        this.builtIn = builtIn;
        this.packageHome = packageHome;
    }

    /** The engines in the order of their ids. */
    public List<LoadedEngine> engines() {
        List<LoadedEngine> engines = new ArrayList<>(found().engines());
        engines.sort(Comparator.comparing(engine -> engine.descriptor().id()));
        return engines;
    }

    /** What could not be loaded. */
    public List<BrokenEngine> broken() {
        return Collections.unmodifiableList(found().broken());
    }

    /**
     * The engine with this id.
     *
     * @param origin who named it, for messages
     * @throws MusterException when there is none, or more than one
     */
    public LoadedEngine require(String id, String origin) {
        List<LoadedEngine> matching = new ArrayList<>();
        for (LoadedEngine engine : found().engines()) {
            if (engine.descriptor().id().equals(id)) {
                matching.add(engine);
            }
        }
        if (matching.isEmpty()) {
            throw unknown(id, origin);
        }
        if (matching.size() > 1) {
            throw ambiguous(id, matching);
        }
        return matching.get(0);
    }

    @Override
    public Set<String> optionNames() {
        Set<String> names = new TreeSet<>();
        for (LoadedEngine engine : found().engines()) {
            for (EngineOption option : engine.descriptor().options()) {
                names.add(option.name());
            }
            for (EngineOption option : engine.descriptor().simulationOptions()) {
                names.add(option.name());
            }
        }
        return names;
    }

    /** The ids with their jars, nearest first: {@code ascend (muster.jar), mpi (muster.jar)}. */
    public String known(String id) {
        List<String> known = new ArrayList<>();
        for (String near : Nearest.order(id, ids())) {
            for (LoadedEngine engine : found().engines()) {
                if (engine.descriptor().id().equals(near)) {
                    known.add(near + " (" + engine.jar() + ")");
                }
            }
        }
        return known.isEmpty() ? "none" : String.join(", ", known);
    }

    private Findings found() {
        Findings known = findings;
        if (known == null) {
            known = new Findings();
            known.addAll(ServiceLoader.load(Engine.class, builtIn), CLASS_PATH);
            if (packageHome.isPresent()) {
                new Plugins(packageHome.get()).addTo(known);
            }
            findings = known;
        }
        return known;
    }

    private MusterException unknown(String id, String origin) {
        Optional<String> artifact = KnownArtifacts.of(id);
        String subject = "engine " + Printable.quote(id) + " (" + origin + ") ";
        String problem = artifact.isPresent()
                ? subject + "is not installed: " + artifact.get() + " brings it"
                : subject + "is not known" + Nearest.suggestion(id, ids());
        String message = problem + "; known: " + known(id);
        if (!broken().isEmpty()) {
            message += "; could not be loaded: " + brokenOnes();
        }
        return new MusterException(refusedAny() ? ExitCode.CONFIGURATION : ExitCode.UNAVAILABLE, message);
    }

    private static MusterException ambiguous(String id, List<LoadedEngine> engines) {
        List<String> jars = new ArrayList<>();
        for (LoadedEngine engine : engines) {
            jars.add(engine.jar());
        }
        return new MusterException(
                ExitCode.UNAVAILABLE,
                "engine \"" + id + "\" exists more than once, in " + String.join(" and ", jars)
                        + ": remove all but one");
    }

    private Set<String> ids() {
        Set<String> ids = new TreeSet<>();
        for (LoadedEngine engine : found().engines()) {
            ids.add(engine.descriptor().id());
        }
        return ids;
    }

    private String brokenOnes() {
        List<String> lines = new ArrayList<>();
        for (BrokenEngine engine : broken()) {
            lines.add(engine.toString());
        }
        return String.join("; ", lines);
    }

    private boolean refusedAny() {
        for (BrokenEngine engine : broken()) {
            if (engine.refused()) {
                return true;
            }
        }
        return false;
    }
}
