package dev.muster.runtime.platform;

import dev.muster.runtime.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts in a variable, in a file that it names, or in a file at a fixed place. Schedulers write words, with or without numbers of slots
 * between them; one host a line, perhaps repeated; or JSON with lists of hosts.
 */
final class HostNames {

    private HostNames() {}

    /**
     * Each of them once, in their order.
     *
     * @param source a variable, or the path of a file
     */
    static List<String> in(EvidenceReader evidence, String source) {
        String value = source.startsWith("/") ? source : evidence.value(source).orElse("");
        boolean isFile = value.startsWith("/");
        String text = (isFile ? evidence.source().text(value).orElse("") : value).strip();
        Stream<String> words = text.startsWith("[") || text.startsWith("{")
                ? listed(text)
                : isFile
                        ? text.lines().map(line -> line.split("#", 2)[0].strip().split("\\s+", 2)[0])
                        : Stream.of(text.split("[\\s,;]+", -1));
        return words.filter(word -> !word.matches("[0-9]*")).distinct().toList();
    }

    private static Stream<String> listed(String json) {
        return Json.read("{\"all\": " + json + "}").object().stream().flatMap(content -> listed(content, false));
    }

    private static Stream<String> listed(@Nullable Object value, boolean isInList) {
        if (value instanceof Map<?, ?> object) {
            return object.values().stream().flatMap(each -> listed(each, false));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().flatMap(each -> listed(each, true));
        }
        return isInList && value instanceof String text ? Stream.of(text) : Stream.empty();
    }
}
