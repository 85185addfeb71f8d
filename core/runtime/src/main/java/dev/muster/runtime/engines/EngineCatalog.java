package dev.muster.runtime.engines;

import dev.muster.runtime.config.OtherEngines;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All engines: those of the launcher's own jar and those of plugins. What their jars declare is enough to list and to choose them;
 * only the classes of the chosen one are loaded. Jars that declare nothing are asked when nobody else has the id.
 */
public final class EngineCatalog implements OtherEngines {

    private static final Set<String> OUR_IDS = Set.of("ascend", "pytorch-gpu", "tensorflow-ps", "mpi");

    private final ClassLoader builtIn;
    private final Optional<Path> packageHome;
    private final PluginWatch watch;

    private @Nullable EngineJars jars;

    /**
     * @param packageHome where the directory {@code plugins} may be
     * @param watch is told when code of plugins runs
     */
    public EngineCatalog(Optional<Path> packageHome, PluginWatch watch) {
        this(EngineCatalog.class.getClassLoader(), packageHome, watch);
    }

    /** @param builtIn finds the engines that are part of the launcher */
    EngineCatalog(ClassLoader builtIn, Optional<Path> packageHome, PluginWatch watch) {
        this.builtIn = builtIn;
        this.packageHome = packageHome;
        this.watch = watch;
    }

    /** All that can be found out about engines. Runs code of the jars that do not declare theirs. */
    public EngineSurvey survey() {
        jars().askTheSilent();
        return EngineSurvey.of(jars());
    }

    /**
     * The engine with this id.
     *
     * @param origin who named it, for messages
     * @throws MusterException when there is none, or more than one, or it cannot be loaded
     */
    public LoadedEngine require(String id, String origin) {
        List<Candidate> declaring = declaring(id);
        if (declaring.isEmpty()) {
            jars().askTheSilent();
            declaring = declaring(id);
        }
        if (declaring.isEmpty()) {
            throw unknown(id, origin);
        }
        if (declaring.size() > 1) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "engine \"" + id + "\" exists more than once, in "
                            + declaring.stream()
                                    .map(candidate -> Printable.escape(
                                            candidate.declared().place()))
                                    .collect(Collectors.joining(" and "))
                            + ": remove all but one");
        }
        return declaring.get(0).load();
    }

    private List<Candidate> declaring(String id) {
        return jars().candidates().stream()
                .filter(candidate -> candidate.declared().id().equals(id))
                .toList();
    }

    /** The names of options of other engines, as far as that can be known without their code; our own engines are asked. */
    @Override
    public Set<String> optionNames() {
        Set<String> names = new TreeSet<>();
        for (Candidate candidate : jars().candidates()) {
            names.addAll(candidate.declared().options());
            if (candidate.code().isOwn()) {
                EngineDescriptor descriptor = candidate.load().descriptor();
                Stream.concat(descriptor.options().stream(), descriptor.simulationOptions().stream())
                        .map(EngineOption::name)
                        .forEach(names::add);
            }
        }
        return names;
    }

    /** The ids with their jars, nearest first: {@code ascend (muster.jar), mpi (muster.jar)}. */
    public String known(String id) {
        String known = Nearest.order(id, ids()).stream()
                .flatMap(near -> jars().candidates().stream()
                        .map(Candidate::declared)
                        .filter(engine -> engine.id().equals(near))
                        .map(engine -> near + " (" + Printable.escape(engine.jar()) + ")"))
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "none" : known;
    }

    private Set<String> ids() {
        return jars().candidates().stream()
                .map(candidate -> candidate.declared().id())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private EngineJars jars() {
        EngineJars known = jars;
        if (known == null) {
            known = new EngineJars();
            known.addOwn(builtIn);
            if (packageHome.isPresent()) {
                new Plugins(packageHome.get(), watch, known).find();
            }
            jars = known;
        }
        return known;
    }

    private MusterException unknown(String id, String origin) {
        String subject = "engine " + Printable.quote(id) + " (" + origin + ") ";
        String problem = OUR_IDS.contains(id)
                ? subject + "is not installed: dev.muster:muster-engine-" + id + " brings it"
                : subject + "is not known" + Nearest.suggestion(id, ids());
        List<BrokenEngine> broken = jars().broken();
        String unusable = broken.stream().map(BrokenEngine::toString).collect(Collectors.joining("; "));
        // A jar that was refused, or whose code went astray, may have been the one that has the id.
        ExitCode code = broken.stream()
                .map(each -> each.kind())
                .filter(kind -> kind != BrokenEngine.Kind.UNUSABLE)
                .max(Comparator.naturalOrder())
                .map(BrokenEngine.Kind::exitCode)
                .orElse(ExitCode.UNAVAILABLE);
        return new MusterException(
                code,
                problem + "; known: " + known(id) + (broken.isEmpty() ? "" : "; could not be loaded: " + unusable));
    }
}
