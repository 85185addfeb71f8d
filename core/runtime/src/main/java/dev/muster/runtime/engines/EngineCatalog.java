package dev.muster.runtime.engines;

import dev.muster.runtime.config.OtherEngines;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All engines: those of the launcher's own jar and those of plugins. What they say of themselves without any class is enough to
 * list and to choose them; only the classes of the chosen one are loaded. Jars that say nothing are asked when nobody else has
 * the id that is wanted.
 */
public final class EngineCatalog implements OtherEngines {

    private static final Set<String> OUR_IDS = Set.of("ascend", "pytorch-gpu", "tensorflow-ps", "mpi");

    private final ClassLoader builtIn;
    private final Optional<Path> packageHome;
    private final PluginWatch watch;

    private @Nullable Findings findings;
    private @Nullable List<DeclaredEngine> asked;

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

    /** All that can be found out about the engines. Reads all jars, and asks those that say nothing of themselves. */
    public EngineSurvey survey() {
        askTheSilent();
        return EngineSurvey.of(found(), known());
    }

    /**
     * The engine with this id.
     *
     * @param origin who named it, for messages
     * @throws MusterException when there is none, or more than one, or it cannot be loaded
     */
    public LoadedEngine require(String id, String origin) {
        List<Candidate> declaring = new ArrayList<>();
        for (Candidate candidate : found().candidates()) {
            if (candidate.hasId(id)) {
                declaring.add(candidate);
            }
        }
        if (declaring.size() > 1) {
            throw ambiguous(id, places(declaring));
        }
        return declaring.isEmpty() ? requireSilent(id, origin) : load(id, declaring.get(0));
    }

    private static LoadedEngine load(String id, Candidate candidate) {
        DeclaredEngine declared = candidate.declared().orElseThrow();
        Candidate.Opened opened = candidate.opened();
        for (LoadedEngine engine : opened.engines()) {
            if (engine.descriptor().id().equals(id)) {
                return engine;
            }
        }
        throw LoadedEngine.isBroken(
                id,
                declared.jar(),
                opened.failures().isEmpty()
                        ? Misbehaviour.another("it declares engine " + id + ", and brings only engine "
                                + opened.engines().get(0).descriptor().id())
                        : opened.failures().get(0));
    }

    /** Nobody declares it: one of those who declare nothing may have it. */
    private LoadedEngine requireSilent(String id, String origin) {
        askTheSilent();
        List<LoadedEngine> matching = new ArrayList<>();
        List<Candidate> holders = new ArrayList<>();
        for (Candidate candidate : silent()) {
            for (LoadedEngine engine : candidate.opened().engines()) {
                if (engine.descriptor().id().equals(id)) {
                    matching.add(engine);
                    holders.add(candidate);
                }
            }
        }
        if (matching.isEmpty()) {
            throw unknown(id, origin);
        }
        if (matching.size() > 1) {
            throw ambiguous(id, places(holders));
        }
        return matching.get(0);
    }

    /** The names of options of other engines, as far as that can be known without their code; our own engines are asked. */
    @Override
    public Set<String> optionNames() {
        Set<String> names = new TreeSet<>();
        for (Candidate candidate : found().candidates()) {
            if (candidate.isOwn()) {
                candidate.opened().engines().forEach(engine -> addOptions(engine.descriptor(), names));
            }
            candidate.declared().ifPresent(declared -> names.addAll(declared.options()));
        }
        return names;
    }

    private static void addOptions(EngineDescriptor descriptor, Set<String> names) {
        descriptor.options().stream().map(EngineOption::name).forEach(names::add);
        descriptor.simulationOptions().stream().map(EngineOption::name).forEach(names::add);
    }

    /** The ids with their jars, nearest first: {@code ascend (muster.jar), mpi (muster.jar)}. */
    public String known(String id) {
        List<String> known = new ArrayList<>();
        for (String near : Nearest.order(id, ids())) {
            for (DeclaredEngine engine : known()) {
                if (engine.id().equals(near)) {
                    known.add(near + " (" + Printable.escape(engine.jar()) + ")");
                }
            }
        }
        return known.isEmpty() ? "none" : String.join(", ", known);
    }

    /** The engines that have told of themselves until now. */
    private List<DeclaredEngine> known() {
        List<DeclaredEngine> known = new ArrayList<>();
        for (Candidate candidate : found().candidates()) {
            candidate.declared().ifPresent(known::add);
        }
        if (asked != null) {
            known.addAll(asked);
        }
        return known;
    }

    private Set<String> ids() {
        Set<String> ids = new TreeSet<>();
        for (DeclaredEngine engine : known()) {
            ids.add(engine.id());
        }
        return ids;
    }

    private Findings found() {
        Findings known = findings;
        if (known == null) {
            known = new Findings();
            new OwnEngines(builtIn, watch).addTo(known);
            if (packageHome.isPresent()) {
                new Plugins(packageHome.get(), watch).addTo(known);
            }
            findings = known;
        }
        return known;
    }

    private List<Candidate> silent() {
        List<Candidate> silent = new ArrayList<>();
        for (Candidate candidate : found().candidates()) {
            if (candidate.declared().isEmpty()) {
                silent.add(candidate);
            }
        }
        return silent;
    }

    /** Runs code of the jars that do not say what they bring, once. */
    private void askTheSilent() {
        if (asked == null) {
            List<DeclaredEngine> told = new ArrayList<>();
            for (Candidate candidate : silent()) {
                Candidate.Opened opened = candidate.opened();
                opened.engines().forEach(engine -> told.add(candidate.described(engine)));
                opened.failures()
                        .forEach(failure ->
                                found().addBroken(candidate.place(), candidate.named(failure), failure.kind()));
            }
            asked = told;
        }
    }

    private MusterException unknown(String id, String origin) {
        boolean isOurs = OUR_IDS.contains(id);
        String subject = "engine " + Printable.quote(id) + " (" + origin + ") ";
        String suggestion = Nearest.suggestion(id, ids());
        String problem = isOurs
                ? subject + "is not installed: dev.muster:muster-engine-" + id + " brings it"
                : subject + "is not known" + suggestion;
        String message = problem + "; known: " + known(id);
        Collection<BrokenEngine> broken = found().broken();
        if (!broken.isEmpty()) {
            message += "; could not be loaded: " + String.join("; ", texts(broken));
        }
        return new MusterException(unknown(broken, !suggestion.isEmpty()), message);
    }

    /** A jar that was refused, or whose code went astray, may have been the one that has the id; but not if a letter is wrong. */
    private static ExitCode unknown(Collection<BrokenEngine> broken, boolean isSlip) {
        Set<BrokenEngine.Kind> kinds = new TreeSet<>();
        broken.forEach(each -> kinds.add(each.kind()));
        if (kinds.contains(BrokenEngine.Kind.REFUSED)) {
            return BrokenEngine.Kind.REFUSED.exitCode();
        }
        return kinds.contains(BrokenEngine.Kind.MISBEHAVED) && !isSlip
                ? BrokenEngine.Kind.MISBEHAVED.exitCode()
                : ExitCode.UNAVAILABLE;
    }

    private static MusterException ambiguous(String id, List<String> places) {
        return new MusterException(
                ExitCode.UNAVAILABLE,
                "engine \"" + id + "\" exists more than once, in " + String.join(" and ", places)
                        + ": remove all but one");
    }

    private static List<String> places(List<Candidate> candidates) {
        List<String> places = new ArrayList<>();
        candidates.forEach(candidate -> places.add(Printable.escape(candidate.jarPlace())));
        return places;
    }

    private static List<String> texts(Collection<BrokenEngine> broken) {
        return broken.stream().map(BrokenEngine::toString).toList();
    }
}
