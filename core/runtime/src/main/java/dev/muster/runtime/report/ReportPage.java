package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.LastWords;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.NewestFile;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.text.TextResource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The HTML page for people beside the result. It is one file, and loads nothing from the network.
 *
 * @param condition the value of {@code --report}
 * @param context what else the page shows, such as settings; called only for a page that is written
 */
public record ReportPage(String condition, Supplier<Map<String, Object>> context) {

    private static final String TEMPLATE = "report.html";
    private static final String DATA = "@DATA@";

    /** Whether a job with this exit code gets a page. */
    boolean isWanted(int exitCode) {
        return condition.equals("always") || (condition.equals("failure") && exitCode != 0);
    }

    /**
     * Writes the page.
     *
     * @param result the written result, with masked secrets
     * @param mask takes secrets out of a text
     * @return the page's path
     */
    Path write(NodeRun run, Map<String, Object> result, Map<String, LogReport> logs, UnaryOperator<String> mask)
            throws FileException {
        Map<String, Object> shown = new LinkedHashMap<>(context.get());
        shown.put("result", result);
        shown.put("lastLines", lastLines(logs, mask));
        String page = TextResource.read(ReportPage.class, TEMPLATE).replace(DATA, island(shown));
        NewestFile file = run.reportFile();
        file.write(number -> page);
        return file.newest();
    }

    private static Map<String, List<String>> lastLines(Map<String, LogReport> logs, UnaryOperator<String> mask) {
        Map<String, List<String>> lines = new TreeMap<>();
        logs.forEach((id, log) -> lines.put(id, LastWords.plain(log.last().get(), mask)));
        return lines;
    }

    /** JSON that cannot end the HTML element around it. */
    private static String island(Object value) {
        return Json.line(value).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    }
}
