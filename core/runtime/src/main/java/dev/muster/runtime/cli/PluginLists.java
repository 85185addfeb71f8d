package dev.muster.runtime.cli;

import dev.muster.runtime.engines.DeclaredEngine;
import dev.muster.runtime.engines.EngineSurvey;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.platform.PlatformSurvey;
import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code muster engines} and {@code muster platforms} print: the list, and below it problems of jars. */
final class PluginLists {

    /** An empty cell. */
    private static final String NOTHING = "-";

    private PluginLists() {}

    static String engines(EngineSurvey survey) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ENGINE", "VERSION", "JAR", "SUMMARY"));
        for (DeclaredEngine engine : survey.engines()) {
            rows.add(List.of(
                    engine.id(),
                    Printable.escape(engine.version().orElse(NOTHING)),
                    Printable.escape(engine.jar()),
                    Printable.escape(engine.descriptor().summary())));
        }
        return Columns.align(rows) + problems(survey.problems());
    }

    static String enginesAsJson(EngineSurvey survey) {
        List<Object> engines = new ArrayList<>();
        for (DeclaredEngine engine : survey.engines()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("id", engine.id());
            entry.put("summary", engine.descriptor().summary());
            entry.put("version", engine.version().orElse(null));
            entry.put("jar", engine.place());
            entry.put("spiVersion", engine.spi().orElse(null));
            engines.add(entry);
        }
        return json("engines", engines, survey.problems());
    }

    /** Which platforms there are, which are here, and what those say. */
    static String platforms(List<PlatformSurvey.Finding> findings, List<BrokenPlugin> problems) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PLATFORM", "HERE", "WHAT IT IS", "SIGN"));
        for (PlatformSurvey.Finding finding : findings) {
            rows.add(List.of(
                    finding.name(),
                    here(finding),
                    finding.title(),
                    Printable.escape(finding.sign().orElse(NOTHING))));
        }
        StringBuilder text = new StringBuilder(Columns.align(rows));
        for (PlatformSurvey.Finding finding : findings) {
            if (!finding.says().isEmpty()) {
                text.append('\n').append(finding.name()).append(" says:\n");
                finding.says()
                        .forEach((about, what) -> text.append("  " + about + ": " + Printable.escape(what) + "\n"));
            }
        }
        return text + problems(problems);
    }

    private static String here(PlatformSurvey.Finding finding) {
        if (finding.isTaken()) {
            return "yes";
        }
        return finding.sign().isPresent() && !finding.name().equals("none") ? "also" : NOTHING;
    }

    static String platformsAsJson(List<PlatformSurvey.Finding> findings, List<BrokenPlugin> problems) {
        List<Object> platforms = new ArrayList<>();
        for (PlatformSurvey.Finding finding : findings) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("name", finding.name());
            entry.put("title", finding.title());
            entry.put("here", finding.sign().isPresent());
            entry.put("taken", finding.isTaken());
            entry.put("sign", finding.sign().orElse(null));
            entry.put("says", new LinkedHashMap<>(finding.says()));
            platforms.add(entry);
        }
        return json("platforms", platforms, problems);
    }

    private static String problems(List<BrokenPlugin> problems) {
        return problems.isEmpty()
                ? ""
                : problems.stream()
                        .map(problem -> "  " + problem + "\n")
                        .collect(Collectors.joining("", "\nCannot be used:\n", ""));
    }

    private static String json(String kind, List<Object> entries, List<BrokenPlugin> broken) {
        List<Object> problems = new ArrayList<>();
        for (BrokenPlugin problem : broken) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("place", problem.place());
            entry.put("kind", problem.isRefused() ? "refused" : "unusable");
            entry.put("reason", problem.reason());
            problems.add(entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", 1L);
        document.put(kind, entries);
        document.put("problems", problems);
        return Json.indented(document);
    }
}
