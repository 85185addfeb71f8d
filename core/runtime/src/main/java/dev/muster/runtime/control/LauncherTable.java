package dev.muster.runtime.control;

import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The list of launchers for people: one line for each, and one for each of its processes. */
final class LauncherTable {

    private LauncherTable() {}

    static String text(List<Map<String, @Nullable Object>> launchers) {
        if (launchers.isEmpty()) {
            return "no launcher runs here\n";
        }
        StringBuilder text = new StringBuilder(line("JOB", "PART", "PID", "STATE", "GRACE"));
        for (Map<String, @Nullable Object> launcher : launchers) {
            text.append(line(
                    word(launcher.get("job")),
                    word(launcher.get("part")),
                    word(launcher.get("pid")),
                    word(launcher.get("state")),
                    word(launcher.get("grace"))));
            if (launcher.get("processes") instanceof List<?> processes) {
                processes.forEach(process -> text.append(process((Map<?, ?>) process)));
            }
        }
        return text.toString();
    }

    private static String process(Map<?, ?> process) {
        Object rank = process.get("rank");
        return line(
                "  " + word(process.get("id")),
                rank == null ? "" : "rank " + word(rank),
                word(process.get("pid")),
                word(process.get("state")),
                "");
    }

    private static String line(String... words) {
        return String.format("%-24s %-10s %-8s %-10s %s%n", (Object[]) words).replaceAll(" +\n", "\n");
    }

    private static String word(@Nullable Object value) {
        return value == null ? "-" : Printable.escape(value.toString());
    }
}
