package dev.muster.engine.ascend;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which checkpoints of a dying gasp the ranks of a hybrid-parallel job load. They are used only when all of them are there and have
 * one size: ranks that would load different states train something that nobody wants.
 *
 * @param ranks as a rank is told; empty where the job does not say, and whatever its ranks inherit stays
 * @param map which rank's checkpoint each of them loads, as a rank is told
 * @param notes for the user
 */
record Restore(Optional<String> ranks, String map, List<Note> notes) {

    static final String RANKS_VARIABLE = "RESTORE_RANKS";
    static final String MAP_VARIABLE = "RESTORE_RANKS_MAP";

    /** What it is called when nodes compare what they plan. */
    static final String EQUAL = "ranks to restore";

    private static final String NOTHING = "-1";
    private static final int MOST_NAMED = 8;

    Restore {
        notes = List.copyOf(notes);
    }

    /** What the ranks of a node have in common, and this. */
    NodeAssignment told(NodeAssignment share) {
        return ranks.isEmpty()
                ? share
                : share.with(Map.of(RANKS_VARIABLE, Value.of(ranks.get()), MAP_VARIABLE, Value.of(map)), notes);
    }

    static Restore of(PlanRequest request, int worldSize) throws PlanException {
        JobSpec job = request.job();
        if (job.option(RestorePlan.OPTION.name()).isEmpty()) {
            return new Restore(Optional.empty(), "", List.of());
        }
        Optional<RestorePlan> plan = RestorePlan.read(request);
        if (plan.isEmpty()) {
            String file = job.option(RestorePlan.OPTION.name()).orElseThrow().value();
            return nothing(List.of("there is no " + file));
        }
        if (plan.get().ranks().isEmpty()) {
            return nothing(List.of(plan.get().file() + " names no ranks"));
        }
        List<String> flaws = flaws(plan.get(), request, worldSize);
        return flaws.isEmpty() ? restoring(plan.get()) : nothing(flaws);
    }

    private static List<String> flaws(RestorePlan plan, PlanRequest request, int worldSize) {
        List<String> flaws = new ArrayList<>();
        SortedMap<Long, List<String>> bySize = new TreeMap<>();
        for (Input checkpoint : plan.checkpoints(worldSize)) {
            int rank = RestorePlan.rankOf(checkpoint);
            Optional<InputValue.Found> found = request.input(checkpoint.id(), InputValue.Found.class);
            if (found.isEmpty()) {
                flaws.add(checkpoint.id() + " is missing: " + plan.patternOf(rank));
            } else if (found.get().size() == 0) {
                // All may have been cut off alike, by a disk that was full.
                flaws.add(checkpoint.id() + " is empty: " + found.get().path());
            } else if (plan.ranks().contains(rank)) {
                String name = checkpoint.id() + " has " + found.get().size() + " bytes: "
                        + found.get().path();
                bySize.computeIfAbsent(found.get().size(), size -> new ArrayList<>())
                        .add(name);
            }
        }
        if (bySize.size() > 1) {
            flaws.addAll(oddOnes(bySize));
        }
        return flaws;
    }

    /** Those of sizes that fewer have, and one of the size that most have, to compare with. */
    private static List<String> oddOnes(SortedMap<Long, List<String>> bySize) {
        List<List<String>> groups = new ArrayList<>(bySize.values());
        groups.sort((one, other) -> Integer.compare(one.size(), other.size()));
        List<String> names = new ArrayList<>();
        groups.subList(0, groups.size() - 1).forEach(names::addAll);
        names.add(groups.get(groups.size() - 1).get(0));
        return names;
    }

    private static Restore restoring(RestorePlan plan) {
        List<String> ranks = plan.ranks().stream().map(String::valueOf).toList();
        Note note = Note.info("ranks restore the checkpoints of ranks " + Messages.ranges(List.copyOf(plan.ranks()))
                + " (" + plan.file() + ")");
        return new Restore(Optional.of(String.join(",", ranks)), JsonText.of(plan.map()), List.of(note));
    }

    private static Restore nothing(List<String> flaws) {
        String named = String.join("; ", flaws.subList(0, Math.min(MOST_NAMED, flaws.size())));
        String others = flaws.size() > MOST_NAMED ? "; and " + (flaws.size() - MOST_NAMED) + " more" : "";
        Note note = Note.warning(
                RANKS_VARIABLE + "=" + NOTHING + ", ranks restore no checkpoint of a dying gasp: " + named + others);
        return new Restore(Optional.of(NOTHING), "{}", List.of(note));
    }
}
