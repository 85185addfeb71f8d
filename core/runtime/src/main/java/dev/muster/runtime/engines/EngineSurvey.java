package dev.muster.runtime.engines;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All engines, and all that is wrong with jars.
 *
 * @param engines that can be chosen, in the order of their ids
 * @param problems in the order of their places
 */
public record EngineSurvey(List<DeclaredEngine> engines, List<BrokenEngine> problems) {

    public EngineSurvey {
        engines = List.copyOf(engines);
        problems = List.copyOf(problems);
    }

    /** @param known the engines that have told of themselves */
    static EngineSurvey of(Findings findings, List<DeclaredEngine> known) {
        List<DeclaredEngine> engines = new ArrayList<>(known);
        List<BrokenEngine> problems = new ArrayList<>(findings.broken());
        for (Candidate candidate : findings.candidates()) {
            Optional<String> misfit = candidate.declared().isPresent() ? candidate.misfit() : Optional.empty();
            if (misfit.isPresent()) {
                engines.remove(candidate.declared().orElseThrow());
                problems.add(new BrokenEngine(candidate.place(), misfit.get(), BrokenEngine.Kind.UNUSABLE));
            }
        }
        addDuplicates(engines, problems);
        problems.sort(Comparator.comparing(BrokenEngine::place));
        engines.sort(Comparator.comparing(DeclaredEngine::id).thenComparing(DeclaredEngine::place));
        return new EngineSurvey(engines, problems);
    }

    private static void addDuplicates(List<DeclaredEngine> engines, List<BrokenEngine> problems) {
        Map<String, DeclaredEngine> first = new TreeMap<>();
        for (DeclaredEngine engine : engines) {
            DeclaredEngine other = first.putIfAbsent(engine.id(), engine);
            if (other != null) {
                problems.add(new BrokenEngine(
                        engine.place(),
                        "engine " + engine.id() + " exists more than once, in " + other.place()
                                + (other.place().equals(other.jar()) ? " (Muster's own)" : "")
                                + " too: no job can use it; remove one of them, or give it an id of its own",
                        BrokenEngine.Kind.UNUSABLE));
            }
        }
    }
}
