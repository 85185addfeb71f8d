package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Ranges;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where all ranks of a job stand. Ranks at the same place form a group. The group that differs comes first. */
record RollCall(List<NodeAnswer> answers, List<List<RankStack>> groups) {

    private static final int MOST_LINES = 12;
    private static final String STOPPED = "stopped";

    /** The order of groups: stopped ranks first; then ranks that wait for no other, because others may wait for them; then small groups. */
    static RollCall of(List<NodeAnswer> answers) {
        Map<String, List<RankStack>> byPlace = answers.stream()
                .flatMap(answer -> answer.objects("ranks").stream().map(rank -> new RankStack(answer.node(), rank)))
                .collect(Collectors.groupingBy(RankStack::place, TreeMap::new, Collectors.toList()));
        List<List<RankStack>> groups = byPlace.values().stream()
                .sorted(Comparator.comparing(
                                (List<RankStack> group) -> !group.get(0).is(STOPPED))
                        .thenComparing(group -> group.get(0).is("waiting"))
                        .thenComparingInt(List::size)
                        .thenComparingInt(group -> group.get(0).rank().orElse(Integer.MAX_VALUE)))
                .toList();
        return new RollCall(answers, groups);
    }

    /**
     * Where one rank stands.
     *
     * @param content the entry in its node's answer
     */
    record RankStack(String node, Map<String, Object> content) {

        String id() {
            return String.valueOf(content.get("id"));
        }

        OptionalInt rank() {
            return content.get("rank") instanceof Number number
                    ? OptionalInt.of(number.intValue())
                    : OptionalInt.empty();
        }

        /** The last call of its code, or the kernel's word. */
        String where() {
            return String.valueOf(content.get("where"));
        }

        /** Whether the key is true: {@code stopped} by a signal, or {@code waiting} for other ranks. */
        boolean is(String key) {
            return Boolean.TRUE.equals(content.get(key));
        }

        /** The stack, innermost call first, or the kernel's view. */
        List<String> lines() {
            return content.get("stack") instanceof List<?> lines
                    ? lines.stream().map(String::valueOf).toList()
                    : List.of();
        }

        /** The place by which ranks are grouped. */
        String place() {
            return (is(STOPPED) ? "stopped in " : "") + where();
        }
    }

    /** Equal if all ranks stand where they stood before. The kernel's view is left out, because it changes for a rank that uses the CPU. */
    String fingerprint() {
        return groups.stream()
                .flatMap(List::stream)
                .map(one -> one.node()
                        + one.id()
                        + one.where()
                        + ("kernel".equals(one.content().get("source")) ? "" : one.lines()))
                .sorted()
                .collect(Collectors.joining("\n", "at ", ""));
    }

    /**
     * {@code rank 7 in read (data.py:41), 31 ranks in all_reduce (train.py:88)}. A node that does not answer comes first, because the
     * others may wait for it.
     */
    String sentence() {
        Stream<String> silent = silent().keySet().stream().map(node -> "no answer from " + Printable.escape(node));
        return Stream.concat(silent, groups.stream().map(RollCall::words)).collect(Collectors.joining(", "));
    }

    private static String words(List<RankStack> group) {
        RankStack first = group.get(0);
        String who = group.size() > 1 ? group.size() + " ranks" : ranks(group);
        return who + (first.is(STOPPED) ? " stopped by a signal in " : " in ") + Printable.escape(first.where());
    }

    /** The numbers of all ranks in it. */
    IntStream ranks() {
        return groups.stream().flatMap(List::stream).flatMapToInt(one -> one.rank().stream());
    }

    /** For people: the sentence, then each group with its ranks and a stack. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        String sentence = sentence();
        lines.add(sentence.isEmpty() ? "no such rank runs" : sentence);
        answers.forEach(answer -> answer.problem().ifPresent(lines::add));
        for (List<RankStack> group : groups) {
            RankStack first = group.get(0);
            lines.add(ranks(group) + (group.size() > 1 ? " (first: " : " (") + Printable.escape(first.node()) + ", pid "
                    + first.content().get("pid") + "):");
            first.lines().stream().limit(MOST_LINES).forEach(line -> lines.add("    " + Printable.escape(line)));
            if (first.content().get("note") instanceof String note) {
                lines.add("    note: " + Printable.escape(note));
            }
        }
        return lines;
    }

    private static String ranks(List<RankStack> group) {
        BitSet numbers = new BitSet();
        List<String> others = new ArrayList<>();
        group.forEach(one -> one.rank().ifPresentOrElse(numbers::set, () -> others.add(Printable.escape(one.id()))));
        List<String> names = new ArrayList<>();
        if (!numbers.isEmpty()) {
            names.add((numbers.cardinality() == 1 ? "rank " : "ranks ") + String.join(",", Ranges.of(numbers)));
        }
        names.addAll(others);
        return String.join(", ", names);
    }

    /** For machines. */
    Map<String, @Nullable Object> document() {
        List<Object> list = new ArrayList<>();
        for (List<RankStack> group : groups) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("where", group.get(0).where());
            entry.put(STOPPED, group.get(0).is(STOPPED));
            List<Object> ranks = new ArrayList<>();
            for (RankStack one : group) {
                Map<String, @Nullable Object> rank = new LinkedHashMap<>(one.content());
                rank.put("node", one.node());
                ranks.add(rank);
            }
            entry.put("ranks", ranks);
            list.add(entry);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("summary", sentence());
        document.put("groups", list);
        document.put("silent", silent());
        return document;
    }

    /** Nodes that have not answered, and the reason. */
    private Map<String, Object> silent() {
        Map<String, Object> silent = new LinkedHashMap<>();
        answers.forEach(answer -> answer.error().ifPresent(why -> silent.put(answer.node(), why)));
        return silent;
    }
}
