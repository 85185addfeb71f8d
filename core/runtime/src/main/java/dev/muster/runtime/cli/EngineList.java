package dev.muster.runtime.cli;

import dev.muster.runtime.engines.BrokenEngine;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** The text of {@code muster engines}: a table, and below it what could not be loaded. */
final class EngineList {

    private static final String UNKNOWN_VERSION = "-";

    private EngineList() {}

    static String text(EngineCatalog catalog) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ENGINE", "VERSION", "JAR", "SUMMARY"));
        for (LoadedEngine engine : catalog.engines()) {
            rows.add(List.of(
                    engine.descriptor().id(),
                    Printable.escape(engine.version().orElse(UNKNOWN_VERSION)),
                    Printable.escape(engine.jar()),
                    Printable.escape(engine.descriptor().summary())));
        }
        StringBuilder text = new StringBuilder(Columns.align(rows));
        if (!catalog.broken().isEmpty()) {
            text.append("\nCould not be loaded:\n");
        }
        for (BrokenEngine broken : catalog.broken()) {
            text.append("  ").append(broken).append('\n');
        }
        return text.toString();
    }
}
