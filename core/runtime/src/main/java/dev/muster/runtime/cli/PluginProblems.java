package dev.muster.runtime.cli;

import dev.muster.runtime.plugins.BrokenPlugin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong with jars of plugins, below a list of what they bring. */
final class PluginProblems {

    private PluginProblems() {}

    static String text(List<BrokenPlugin> problems) {
        return problems.isEmpty()
                ? ""
                : problems.stream()
                        .map(problem -> "  " + problem + "\n")
                        .collect(Collectors.joining("", "\nCannot be used:\n", ""));
    }

    static List<Map<String, @Nullable Object>> json(List<BrokenPlugin> problems) {
        return problems.stream().map(PluginProblems::entry).toList();
    }

    private static Map<String, @Nullable Object> entry(BrokenPlugin problem) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("place", problem.place());
        entry.put("kind", problem.isRefused() ? "refused" : "unusable");
        entry.put("reason", problem.reason());
        return entry;
    }
}
