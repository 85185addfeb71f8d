package dev.muster.runtime.doctor;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Limits of the caller, which ranks inherit. Whether they have room for the plan, a launch itself tells. */
final class LimitsCheck {

    private static final Pattern LINE = Pattern.compile("(?m)^(Max [a-z ]+?)  +(\\S+)");
    private static final String FILES = "Max open files";
    private static final String LOCKED = "Max locked memory";

    /** What is enough for most jobs; each has a row in {@code findings.txt}. */
    private static final Map<String, Long> LEAST = Map.of(
            FILES,
            1024L,
            "Max cpu time",
            Long.MAX_VALUE,
            "Max file size",
            Long.MAX_VALUE,
            "Max address space",
            Long.MAX_VALUE);

    private LimitsCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        Map<String, String> limits = new TreeMap<>();
        String text = node.files().text("/proc/" + node.pid() + "/limits").orElse("");
        LINE.matcher(text).results().forEach(line -> limits.put(line.group(1), line.group(2)));
        Map<String, Long> least = new TreeMap<>(LEAST);
        if (!node.files().names("/sys/class/infiniband").isEmpty()) {
            least.put(LOCKED, Long.MAX_VALUE);
        }
        Stream<Finding> low = limits.entrySet().stream()
                .filter(limit -> limit.getValue().matches("[0-9]{1,18}")
                        && Long.parseLong(limit.getValue()) < least.getOrDefault(limit.getKey(), 0L))
                .map(limit -> Finding.of("limit." + limit.getKey(), limit.getValue()));
        return Stream.concat(
                Stream.of(Finding.of("limits", limits.getOrDefault(FILES, "?"), limits.getOrDefault(LOCKED, "?"))),
                low);
    }
}
