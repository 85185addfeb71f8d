package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a generator of restore strategies has written for a hybrid-parallel job: which ranks have left a checkpoint that can be
 * used, and which of these each rank loads.
 *
 * @param file where it was read
 * @param ranks whose checkpoints are used; empty: nothing is restored
 * @param map as it was given, keys with blanks left out
 * @param sources by rank: whose checkpoint it loads
 * @param pattern of the checkpoints' paths, in which {@value #RANK} stands for a rank
 */
record RestorePlan(
        String file,
        SortedSet<Integer> ranks,
        Map<String, Object> map,
        SortedMap<Integer, Integer> sources,
        String pattern) {

    static final EngineOption OPTION = EngineOption.of(
            "restore-ranks",
            EngineOption.Kind.PATH,
            "what a hybrid-parallel job restores, as JSON: {\"ranks\", \"map\", \"pattern\"}; docs/platforms/mindx-dl.md");

    static final String RANK = "{rank}";
    private static final String ID = "restore-ranks";
    private static final String CHECKPOINT = "breakpoint of rank ";
    private static final String FIX = "Correct the file, or have it written again";

    static List<Input> inputs(JobSpec job) {
        return job
                .option(OPTION.name())
                .<Input>map(file -> new Input.JsonFile(
                        ID, file.value(), Optional.empty(), file.origin(), false, Input.Readiness.WHOLE))
                .stream()
                .toList();
    }

    /** What was read; empty: the file is not there. */
    static Optional<RestorePlan> read(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = request.input(ID, InputValue.Json.class);
        return file.isEmpty() ? Optional.empty() : Optional.of(read(JsonView.of(file.get())));
    }

    private static RestorePlan read(JsonView file) throws PlanException {
        SortedSet<Integer> ranks = ranks(file.child("ranks", FIX));
        if (ranks.isEmpty()) {
            return new RestorePlan(file.file(), ranks, Map.of(), new TreeMap<>(), "");
        }
        String pattern = pattern(file.child("pattern", FIX));
        Map<String, Object> map = new LinkedHashMap<>();
        SortedMap<Integer, Integer> sources = new TreeMap<>();
        JsonView all = file.child("map", FIX);
        if (!(all.value() instanceof Map)) {
            throw all.refusal(all.shown() + " is not an object", FIX);
        }
        for (String key : all.keys()) {
            JsonView entry = all.child(key);
            int source = rank(entry, entry.value());
            if (!ranks.contains(source)) {
                throw entry.refusal("rank " + source + " is none of ranks " + Messages.ranges(List.copyOf(ranks)), FIX);
            }
            for (int rank : ranksIn(entry, key)) {
                if (sources.put(rank, source) != null) {
                    throw entry.refusal("rank " + rank + " stands in two keys", FIX);
                }
            }
            map.put(key.replace(" ", ""), entry.value());
        }
        return new RestorePlan(file.file(), ranks, map, sources, pattern);
    }

    private static String pattern(JsonView pattern) throws PlanException {
        if (pattern.value() instanceof String text && text.contains(RANK) && isPath(text)) {
            return text;
        }
        throw pattern.refusal(pattern.shown() + " is no path with " + RANK + " in it", FIX);
    }

    /** JSON can also write half of a pair of surrogates, which no file's name has. */
    private static boolean isPath(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** As a list, or as the text that ranks get; -1 stands for none. */
    private static SortedSet<Integer> ranks(JsonView ranks) throws PlanException {
        SortedSet<Integer> all = new TreeSet<>();
        if (ranks.value() instanceof List) {
            for (JsonView rank : ranks.elements()) {
                all.add(rank(rank, rank.value()));
            }
        } else {
            String text = ranks.value() == null ? "" : String.valueOf(ranks.value());
            if (!text.isBlank() && !text.strip().equals("-1")) {
                all.addAll(ranksIn(ranks, text));
            }
        }
        return all;
    }

    private static List<Integer> ranksIn(JsonView where, String list) throws PlanException {
        List<Integer> ranks = new ArrayList<>();
        for (String rank : list.split(",", -1)) {
            ranks.add(rank(where, rank));
        }
        return ranks;
    }

    private static int rank(JsonView where, @Nullable Object value) throws PlanException {
        boolean isScalar = value instanceof String || value instanceof Number;
        int rank = isScalar
                ? WholeNumber.parse(String.valueOf(value).strip(), RankTable.MOST_CARDS - 1)
                : WholeNumber.NONE;
        if (rank == WholeNumber.NONE) {
            String shown = isScalar ? Messages.quote(String.valueOf(value)) : "this";
            throw where.refusal(shown + " is no rank: a whole number from 0", FIX);
        }
        return rank;
    }

    /** The checkpoints to look for: those of the ranks, and of ranks of the job that the map leaves to themselves. */
    List<Input> checkpoints(int worldSize) {
        SortedSet<Integer> all = new TreeSet<>(ranks);
        for (int rank = 0; rank < worldSize && !ranks.isEmpty(); rank++) {
            all.add(sources.getOrDefault(rank, rank));
        }
        return all.stream()
                .<Input>map(rank -> new Input.NewestFile(CHECKPOINT + rank, patternOf(rank)))
                .toList();
    }

    String patternOf(int rank) {
        return pattern.replace(RANK, Integer.toString(rank));
    }

    /** The rank whose checkpoint an input is. */
    static int rankOf(Input checkpoint) {
        return Integer.parseInt(checkpoint.id().substring(CHECKPOINT.length()));
    }
}
