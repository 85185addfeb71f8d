package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A rank in {@code muster top}.
 *
 * @param node as the link calls it
 * @param content the rank's entry in the node's answer
 */
record TopRow(String node, String host, long restarts, Map<String, Object> content) {

    /** Seconds of silence that every rank may have: the others print now and then, too. */
    private static final long QUIET = 5;

    /** Percent of CPU by which ranks differ anyway. */
    private static final long USUAL = 25;

    static final List<String> HEADER =
            List.of("NODE", "RANK", "PID", "STATE", "CPU%", "MEM", "RESTARTS", "SILENT", "LAST LINE");

    private static final String NOTHING = "-";
    private static final int GIBIBYTE = 1024;
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;

    /** All ranks of all nodes; who is behind comes first. */
    static List<TopRow> sorted(List<NodeAnswer> answers) {
        List<TopRow> rows = answers.stream().flatMap(TopRow::ofNode).toList();
        List<TopRow> running = rows.stream().filter(TopRow::isRunning).toList();
        long youngest = running.stream()
                .flatMapToLong(row -> row.number("silentSeconds").stream())
                .min()
                .orElse(0);
        long[] cpu = running.stream()
                .flatMapToLong(row -> row.number("cpu").stream())
                .sorted()
                .toArray();
        long usual = cpu.length == 0 ? 0 : cpu[cpu.length / 2];
        return rows.stream()
                .sorted(Comparator.comparingInt(TopRow::troubleFirst)
                        .thenComparing(Comparator.comparingLong((TopRow row) -> row.lag(youngest))
                                .reversed())
                        .thenComparing(Comparator.comparingLong((TopRow row) -> row.difference(usual))
                                .reversed())
                        .thenComparingLong(row -> row.number("rank").orElse(Long.MAX_VALUE)))
                .toList();
    }

    private static Stream<TopRow> ofNode(NodeAnswer answer) {
        long restarts = answer.content().get("restarts") instanceof Number number ? number.longValue() : 0;
        return answer.objects("ranks").stream().map(rank -> new TopRow(answer.node(), answer.host(), restarts, rank));
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

    private boolean isRunning() {
        return troubleFirst() <= 2;
    }

    /** How much longer it is silent than the rank that printed last. One that never prints is no sign. */
    private long lag(long youngest) {
        long silent = number("silentSeconds").orElse(youngest);
        return silent - youngest <= QUIET ? 0 : silent - youngest;
    }

    private long difference(long usual) {
        long difference = Math.abs(number("cpu").orElse(usual) - usual);
        return difference <= USUAL ? 0 : difference;
    }

    private OptionalLong number(String key) {
        return content.get(key) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    private String text(String key) {
        return content.get(key) instanceof String text ? Printable.escape(text) : "";
    }

    private String shown(String key) {
        return number(key).stream().mapToObj(Long::toString).findFirst().orElse(NOTHING);
    }

    List<String> cells() {
        String rank = number("rank").isPresent() ? shown("rank") : text("id");
        return List.of(
                Printable.escape(node),
                rank,
                shown("pid"),
                text("state"),
                shown("cpu"),
                number("memory").stream().mapToObj(TopRow::memory).findFirst().orElse(NOTHING),
                Long.toString(restarts),
                number("silentSeconds").stream()
                        .mapToObj(TopRow::age)
                        .findFirst()
                        .orElse(NOTHING),
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
