package dev.muster.runtime.plan;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plans for people: what {@link PlanDocument} says, as an outline without what is empty. Equal plans give equal bytes. */
public final class PlanText {

    /**
     * The longest value, in characters, if several plans are shown. In a job of four thousand nodes each process gets the addresses of all:
     * that would be gigabytes.
     */
    private static final int LONGEST = 4000;

    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private final int longest;

    private PlanText(int longest) {
        this.longest = longest;
    }

    /** Writes one plan after the other, each when it is made. */
    public static void write(PlanReport report, Secrets secrets, Consumer<String> out) {
        PlanDocument document = new PlanDocument(report, secrets);
        int longest = report.nodes().size() > 1 ? LONGEST : Integer.MAX_VALUE;
        for (NodePlan node : report.nodes()) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("engine", report.engine());
            content.put("grace", Durations.format(report.grace()));
            content.putAll(Json.toMap(document.node(node)));
            String title = "Plan of " + title(node.node(), node.plan().name());
            out.accept(new PlanText(longest).page(title, content));
        }
        document.conda()
                .ifPresent(conda ->
                        out.accept(new PlanText(Integer.MAX_VALUE).page("Conda environment", Json.toMap(conda))));
        out.accept("Settings\n========\n" + settings(report));
    }

    private static String settings(PlanReport report) {
        return Columns.align(report.settings().stream()
                .map(setting -> List.of(
                        setting.name(),
                        "= " + Printable.escape(setting.value()),
                        "(" + Printable.escape(setting.origin()) + ")"))
                .toList());
    }

    private static String title(Node node, Optional<String> name) {
        if (node.index().isEmpty()) {
            return name.orElse("this node");
        }
        String index = "node " + node.index().getAsInt();
        String position =
                node.count().isEmpty() ? index : index + " of " + node.count().getAsInt();
        return name.isEmpty() ? position : name.get() + " (" + position + ")";
    }

    private String page(String title, Map<String, ?> content) {
        text.append(title).append('\n').append("=".repeat(title.length())).append('\n');
        entries(0, content);
        return text.append("\n\n").toString();
    }

    private void entries(int level, Map<?, ?> content) {
        content.forEach((key, value) -> {
            if (isEmpty(value)) {
                return;
            }
            text.append(INDENT.repeat(level)).append(Printable.escape(key + ":"));
            if (value instanceof Map<?, ?> map) {
                text.append('\n');
                entries(level + 1, map);
            } else if (value instanceof List<?> list && list.get(0) instanceof Map) {
                text.append('\n');
                list.forEach(element -> element(level + 1, (Map<?, ?>) element));
            } else {
                text.append(' ').append(shown(value)).append('\n');
            }
        });
    }

    /** Writes an element of a list. An element without parts becomes one line. */
    private void element(int level, Map<?, ?> element) {
        text.append(INDENT.repeat(level)).append("- ");
        if (element.values().stream().noneMatch(Map.class::isInstance)) {
            text.append(element.entrySet().stream()
                            .filter(entry -> !isEmpty(entry.getValue()))
                            .map(entry -> entry.getKey() + ": " + shown(entry.getValue()))
                            .collect(Collectors.joining(", ")))
                    .append('\n');
            return;
        }
        int start = text.length();
        entries(level + 1, element);
        text.delete(start, start + INDENT.length() * (level + 1));
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null
                || (value instanceof List<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.values().stream().allMatch(PlanText::isEmpty));
    }

    private String shown(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(word -> cut(word.toString(), ShellWords::quote))
                    .collect(Collectors.joining(" "));
        }
        return cut(String.valueOf(value), Printable::escape);
    }

    private String cut(String value, UnaryOperator<String> form) {
        return value.length() <= longest
                ? form.apply(value)
                : form.apply(Shortened.start(longest, value)) + "... (" + value.length()
                        + " characters; --format json has all)";
    }
}
