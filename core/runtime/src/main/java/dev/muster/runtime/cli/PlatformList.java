package dev.muster.runtime.cli;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.platform.PlatformSurvey;
import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The text of {@code muster platforms}: which there are, which are here, and what those say. */
final class PlatformList {

    private static final String NOT_HERE = "-";

    private PlatformList() {}

    static String text(List<PlatformSurvey.Finding> findings, List<BrokenPlugin> problems) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PLATFORM", "HERE", "WHAT IT IS", "SIGN"));
        for (PlatformSurvey.Finding finding : findings) {
            rows.add(List.of(
                    finding.name(),
                    here(finding),
                    finding.title(),
                    Printable.escape(finding.sign().orElse(NOT_HERE))));
        }
        StringBuilder text = new StringBuilder(Columns.align(rows));
        for (PlatformSurvey.Finding finding : findings) {
            if (!finding.says().isEmpty()) {
                text.append('\n').append(finding.name()).append(" says:\n");
                finding.says()
                        .forEach((about, what) -> text.append("  " + about + ": " + Printable.escape(what) + "\n"));
            }
        }
        return text + PluginProblems.text(problems);
    }

    static String json(List<PlatformSurvey.Finding> findings, List<BrokenPlugin> problems) {
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
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("format", 1L);
        document.put("platforms", platforms);
        document.put("problems", PluginProblems.json(problems));
        return Json.indented(document);
    }

    private static String here(PlatformSurvey.Finding finding) {
        if (finding.isTaken()) {
            return "yes";
        }
        return finding.sign().isPresent() && !finding.name().equals("none") ? "also" : NOT_HERE;
    }
}
