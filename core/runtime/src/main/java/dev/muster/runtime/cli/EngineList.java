package dev.muster.runtime.cli;

import dev.muster.runtime.engines.DeclaredEngine;
import dev.muster.runtime.engines.EngineSurvey;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The text of {@code muster engines}: a table, and below it what is wrong with jars. */
final class EngineList {

    private static final String UNKNOWN_VERSION = "-";

    private EngineList() {}

    static String text(EngineSurvey survey) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ENGINE", "VERSION", "JAR", "SUMMARY"));
        for (DeclaredEngine engine : survey.engines()) {
            rows.add(List.of(
                    engine.id(),
                    Printable.escape(engine.version().orElse(UNKNOWN_VERSION)),
                    Printable.escape(engine.jar()),
                    Printable.escape(engine.summary())));
        }
        return Columns.align(rows) + PluginProblems.text(survey.problems());
    }

    static String json(EngineSurvey survey) {
        List<Object> engines = new ArrayList<>();
        for (DeclaredEngine engine : survey.engines()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("id", engine.id());
            entry.put("summary", engine.summary());
            entry.put("version", engine.version().orElse(null));
            entry.put("jar", engine.place());
            entry.put("spiVersion", engine.spi().orElse(null));
            engines.add(entry);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("format", 1L);
        document.put("engines", engines);
        document.put("problems", PluginProblems.json(survey.problems()));
        return Json.indented(document);
    }
}
