package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where one rank stands, as its node has answered.
 *
 * @param where what groups are made by: what its code has called last, or the kernel's word
 * @param isStopped whether a signal has stopped it
 * @param isWaiting whether it waits for other ranks, as far as that can be told
 * @param lines the stack, the innermost call first, or what the kernel says
 */
record RankStack(
        String node,
        String id,
        OptionalInt rank,
        long pid,
        String where,
        boolean isStopped,
        boolean isWaiting,
        List<String> lines,
        Map<String, Object> content) {

    /** What a node says of a rank. */
    static Map<String, @Nullable Object> entry(
            RankProcess rank, String source, String where, boolean isStopped, boolean isWaiting) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", rank.id());
        entry.put("rank", rank.rank().isPresent() ? rank.rank().getAsInt() : null);
        entry.put("pid", rank.pid().isPresent() ? rank.pid().getAsLong() : null);
        entry.put("source", source);
        entry.put("where", where);
        entry.put("stopped", isStopped);
        entry.put("waiting", isWaiting);
        return entry;
    }

    static Stream<RankStack> of(NodeAnswer answer) {
        return answer.objects("ranks").stream().map(entry -> of(answer.node(), entry));
    }

    private static RankStack of(String node, Map<String, Object> entry) {
        return new RankStack(
                node,
                String.valueOf(entry.get("id")),
                entry.get("rank") instanceof Number number ? OptionalInt.of(number.intValue()) : OptionalInt.empty(),
                entry.get("pid") instanceof Number number ? number.longValue() : 0,
                String.valueOf(entry.get("where")),
                Boolean.TRUE.equals(entry.get("stopped")),
                Boolean.TRUE.equals(entry.get("waiting")),
                entry.get("stack") instanceof List<?> lines
                        ? lines.stream().map(String::valueOf).toList()
                        : List.of(),
                entry);
    }

    /** Ranks that stand in the same. */
    String group() {
        return (isStopped ? "stopped in " : "") + where;
    }

    Optional<String> note() {
        return content.get("note") instanceof String note ? Optional.of(note) : Optional.empty();
    }
}
