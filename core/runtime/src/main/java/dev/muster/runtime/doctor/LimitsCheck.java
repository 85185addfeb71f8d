package dev.muster.runtime.doctor;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The caller's limits, which ranks inherit. The launch itself checks whether they are enough for the plan. */
final class LimitsCheck {

    private static final Pattern LINE = Pattern.compile("(?m)^(Max [a-z ]+?)  +(\\S+)");
    private static final String FILES = "Max open files";
    private static final String LOCKED = "Max locked memory";

    /** Enough for most jobs. Each limit has a row in {@code findings.txt}. */
    private static final long LEAST_FILES = 1024;

    private static final Set<String> UNLIMITED = Set.of("Max cpu time", "Max file size", "Max address space");

    private LimitsCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        Map<String, String> limits = new TreeMap<>();
        String text = node.files().text("/proc/" + node.pid() + "/limits").orElse("");
        LINE.matcher(text).results().forEach(line -> limits.put(line.group(1), line.group(2)));
        boolean hasAdapters = !node.files().names("/sys/class/infiniband").isEmpty();
        Stream<Finding> low = limits.entrySet().stream()
                .filter(limit -> limit.getValue().matches("[0-9]{1,18}"))
                .filter(limit -> UNLIMITED.contains(limit.getKey())
                        || (limit.getKey().equals(LOCKED) && hasAdapters)
                        || (limit.getKey().equals(FILES) && Long.parseLong(limit.getValue()) < LEAST_FILES))
                .map(limit -> Finding.of("limit." + limit.getKey(), limit.getValue()));
        return Stream.concat(
                Stream.of(Finding.of("limits", limits.getOrDefault(FILES, "?"), limits.getOrDefault(LOCKED, "?"))),
                low);
    }
}
