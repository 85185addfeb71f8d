package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * A rank in {@code muster top}.
 *
 * @param answer of its node
 * @param content the rank's entry in the answer
 */
record TopRow(NodeAnswer answer, Map<String, Object> content) {

    /** Seconds of silence that are usual for every rank. */
    private static final long QUIET = 5;

    /** Percent of CPU by which ranks usually differ. */
    private static final long USUAL = 25;

    static final List<String> HEADER =
            List.of("NODE", "RANK", "PID", "STATE", "CPU%", "MEM", "RESTARTS", "SILENT", "LAST LINE");

    private static final int GIBIBYTE = 1024;
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;

    /** All ranks of all nodes; ranks that lag behind come first. */
    static List<TopRow> sorted(List<NodeAnswer> answers) {
        List<TopRow> rows = answers.stream()
                .flatMap(answer -> answer.objects("ranks").stream().map(rank -> new TopRow(answer, rank)))
                .toList();
        long youngest = ofRunning(rows, "silentSeconds").min().orElse(0);
        long[] cpu = ofRunning(rows, "cpu").sorted().toArray();
        long usual = cpu.length == 0 ? 0 : cpu[cpu.length / 2];
        return rows.stream()
                .sorted(Comparator.comparingInt(TopRow::troubleFirst)
                        .thenComparingLong(row -> -row.lag(youngest))
                        .thenComparingLong(row -> -row.difference(usual))
                        .thenComparingLong(row -> number(row.content, "rank").orElse(Long.MAX_VALUE)))
                .toList();
    }

    private static LongStream ofRunning(List<TopRow> rows, String key) {
        return rows.stream()
                .filter(row -> row.troubleFirst() <= 2)
                .flatMapToLong(row -> number(row.content, key).stream());
    }

    private int troubleFirst() {
        return switch (text("state")) {
            case "stopped", "zombie" -> 0;
            case "disk wait" -> 1;
            case "ended" -> 4;
            case "waiting" -> 3;
            default -> 2;
        };
    }

    /** How much longer it is silent than the rank that printed last. A rank that never prints does not lag. */
    private long lag(long youngest) {
        long lag = number(content, "silentSeconds").orElse(youngest) - youngest;
        return lag <= QUIET ? 0 : lag;
    }

    private long difference(long usual) {
        long difference = Math.abs(number(content, "cpu").orElse(usual) - usual);
        return difference <= USUAL ? 0 : difference;
    }

    private static OptionalLong number(Map<String, Object> content, String key) {
        return content.get(key) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    private String text(String key) {
        return content.get(key) instanceof String text ? Printable.escape(text) : "";
    }

    private String shown(String key, LongFunction<String> form) {
        OptionalLong number = number(content, key);
        return number.isPresent() ? form.apply(number.getAsLong()) : "-";
    }

    List<String> cells() {
        return List.of(
                Printable.escape(answer.node()),
                number(content, "rank").isPresent() ? shown("rank", Long::toString) : text("id"),
                shown("pid", Long::toString),
                text("state"),
                shown("cpu", Long::toString),
                shown("memory", TopRow::memory),
                Long.toString(number(answer.content(), "restarts").orElse(0)),
                shown("silentSeconds", TopRow::age),
                text("lastLine"));
    }

    private static String memory(long mebibytes) {
        return mebibytes < 10 * GIBIBYTE ? mebibytes + "M" : mebibytes / GIBIBYTE + "G";
    }

    private static String age(long seconds) {
        return seconds < 2 * MINUTE
                ? seconds + "s"
                : seconds < 2 * HOUR ? seconds / MINUTE + "m" : seconds / HOUR + "h";
    }
}
