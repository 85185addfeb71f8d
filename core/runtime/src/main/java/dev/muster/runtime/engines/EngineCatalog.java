package dev.muster.runtime.engines;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All engines: those of the launcher's own jar and those of plugins. What the jars of plugins declare is enough to list and to
 * choose them; only the classes of the chosen one are loaded.
 */
public final class EngineCatalog {

    private final ServiceLoader<Engine> own;
    private final PluginJars jars;
    private final PluginListener listener;

    /** @param listener is told when code of plugins runs */
    public EngineCatalog(PluginJars jars, PluginListener listener) {
        this(EngineCatalog.class.getClassLoader(), jars, listener);
    }

    /** @param builtIn finds the engines that are part of the launcher */
    EngineCatalog(ClassLoader builtIn, PluginJars jars, PluginListener listener) {
        this.own = ServiceLoader.load(Engine.class, builtIn);
        this.jars = jars;
        this.listener = listener;
    }

    /** All that can be found out about engines. Runs no code of plugins. */
    public EngineSurvey survey() {
        List<DeclaredEngine> engines = new ArrayList<>();
        own.forEach(engine -> engines.add(new DeclaredEngine(engine.descriptor(), Optional.empty())));
        List<BrokenPlugin> problems = new ArrayList<>(jars.broken());
        for (PluginJar jar : jars.found()) {
            jar.card(DeclaredEngine.ATTRIBUTE, problems::add)
                    .ifPresent(card -> engines.add(DeclaredEngine.of(jar, card)));
        }
        problems.addAll(duplicates(engines));
        // Comparators from methods of the JDK need new classes at each start: 4 ms.
        problems.sort((one, other) -> one.place().compareTo(other.place()));
        engines.sort((one, other) -> one.place().compareTo(other.place()));
        engines.sort((one, other) -> one.id().compareTo(other.id()));
        return new EngineSurvey(List.copyOf(engines), List.copyOf(problems));
    }

    private static List<BrokenPlugin> duplicates(List<DeclaredEngine> engines) {
        List<BrokenPlugin> problems = new ArrayList<>();
        Map<String, DeclaredEngine> first = new HashMap<>();
        for (DeclaredEngine engine : engines) {
            @Nullable DeclaredEngine other = first.putIfAbsent(engine.id(), engine);
            if (other != null) {
                String where = other.place() + (other.plugin().isPresent() ? "" : " (Muster's own)");
                problems.add(new BrokenPlugin(
                        engine.place(),
                        "engine " + engine.id() + " exists more than once, in " + where
                                + " too: no job can use it; remove one of them, or give it an id of its own",
                        false));
            }
        }
        return problems;
    }

    /**
     * The engine with this id.
     *
     * @param origin who named it, for messages
     * @throws MusterException when there is none, or more than one, or it cannot be loaded
     */
    public LoadedEngine require(String id, String origin) {
        List<DeclaredEngine> declaring = survey().engines().stream()
                .filter(engine -> engine.id().equals(id))
                .toList();
        if (declaring.isEmpty()) {
            throw unknown(id, origin);
        }
        if (declaring.size() > 1) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "engine \"" + id + "\" exists more than once, in "
                            + declaring.stream()
                                    .map(engine -> Printable.escape(engine.place()))
                                    .collect(Collectors.joining(" and "))
                            + ": remove all but one");
        }
        return load(declaring.get(0));
    }

    private LoadedEngine load(DeclaredEngine declared) {
        if (declared.plugin().isPresent()) {
            return LoadedEngine.ofPlugin(declared.id(), declared.plugin().get(), listener);
        }
        return LoadedEngine.of(own.stream()
                .map(ServiceLoader.Provider::get)
                .filter(engine -> engine.descriptor().id().equals(declared.id()))
                .findFirst()
                .orElseThrow());
    }

    /** The descriptors of all engines, without running code of plugins. For plugins they have only the names of options. */
    public List<EngineDescriptor> descriptors() {
        return survey().engines().stream().map(DeclaredEngine::descriptor).toList();
    }

    /** The names of all their options. */
    public Set<String> optionNames() {
        return descriptors().stream()
                .flatMap(engine -> engine.options().stream())
                .map(EngineOption::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The ids with their jars, nearest first: {@code ascend (muster.jar), mpi (muster.jar)}. */
    public String known(String id) {
        String all = Nearest.order(id, ids()).stream()
                .flatMap(near -> survey().engines().stream()
                        .filter(engine -> engine.id().equals(near))
                        .map(engine -> near + " (" + Printable.escape(engine.jar()) + ")"))
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "none" : all;
    }

    private Set<String> ids() {
        return survey().engines().stream().map(DeclaredEngine::id).collect(Collectors.toCollection(TreeSet::new));
    }

    private MusterException unknown(String id, String origin) {
        List<BrokenPlugin> broken = survey().problems();
        String unusable = broken.stream().map(BrokenPlugin::toString).collect(Collectors.joining("; "));
        // A jar that was refused may have been the one that has the id.
        boolean isRefused = broken.stream().anyMatch(BrokenPlugin::isRefused);
        return new MusterException(
                isRefused ? ExitCode.CONFIGURATION : ExitCode.UNAVAILABLE,
                "engine " + Printable.quote(id) + " (" + origin + ") is not known" + Nearest.suggestion(id, ids())
                        + "; known: " + known(id) + (broken.isEmpty() ? "" : "; could not be loaded: " + unusable));
    }
}
