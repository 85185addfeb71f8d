package dev.muster.runtime.engines;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All engines, and all that is wrong with jars.
 *
 * @param engines that can be chosen, in the order of their ids
 * @param problems in the order of their places
 */
public record EngineSurvey(List<DeclaredEngine> engines, List<BrokenEngine> problems) {

    static EngineSurvey of(EngineJars jars) {
        List<DeclaredEngine> engines = new ArrayList<>();
        List<BrokenEngine> problems = new ArrayList<>(jars.broken());
        Map<String, DeclaredEngine> first = new HashMap<>();
        for (Candidate candidate : jars.candidates()) {
            DeclaredEngine engine = candidate.declared();
            if (candidate.misfit().isPresent()) {
                problems.add(broken(candidate, candidate.misfit().get()));
                continue;
            }
            engines.add(engine);
            DeclaredEngine other = first.putIfAbsent(engine.id(), engine);
            if (other != null) {
                problems.add(broken(
                        candidate,
                        "engine " + engine.id() + " exists more than once, in " + other.place()
                                + (other.place().equals(other.jar()) ? " (Muster's own)" : "")
                                + " too: no job can use it; remove one of them, or give it an id of its own"));
            }
        }
        problems.sort(Comparator.comparing(BrokenEngine::place));
        engines.sort(Comparator.comparing(DeclaredEngine::id).thenComparing(DeclaredEngine::place));
        return new EngineSurvey(List.copyOf(engines), List.copyOf(problems));
    }

    private static BrokenEngine broken(Candidate candidate, String reason) {
        return new BrokenEngine(candidate.declared().place(), reason, BrokenEngine.Kind.UNUSABLE);
    }
}
