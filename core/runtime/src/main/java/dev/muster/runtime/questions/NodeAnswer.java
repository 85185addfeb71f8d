package dev.muster.runtime.questions;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a node. Texts in it are not trusted.
 *
 * @param node as the link calls it
 * @param content a JSON object; empty if there is an error
 * @param error why there is no content
 */
public record NodeAnswer(String node, String host, Map<String, Object> content, Optional<String> error) {

    private static final int DIGITS = 9;

    /** Reads a line; empty: it is not an answer. */
    static Optional<NodeAnswer> read(String line) {
        if (!(Json.read(line) instanceof JsonReading.Complete read)) {
            return Optional.empty();
        }
        Map<String, Object> answer = read.content();
        Optional<String> error = text(answer.get("error"));
        return text(answer.get("node"))
                .map(node -> new NodeAnswer(
                        node, text(answer.get("host")).orElse(""), object(answer.get("content")), error));
    }

    /** The lines of {@link JobQuestions#askJob}, in the order of the nodes. */
    public static List<NodeAnswer> of(List<String> lines) {
        return lines.stream()
                .flatMap(line -> read(line).stream())
                .sorted(Comparator.comparing(NodeAnswer::order))
                .toList();
    }

    /** A line for users if the node did not answer. */
    public Optional<String> problem() {
        String where = Printable.escape(node) + (host.isEmpty() ? "" : " (" + Printable.escape(host) + ")");
        return error.map(why -> where + " does not answer: " + Printable.escape(why));
    }

    /** The objects in a list of the content; empty if there is no such list. */
    public List<Map<String, Object>> objects(String key) {
        return content.get(key) instanceof List<?> list
                ? list.stream().map(NodeAnswer::object).toList()
                : List.of();
    }

    /** Sorts {@code node-2} before {@code node-10}. */
    private String order() {
        return Pattern.compile("[0-9]+")
                .matcher(node)
                .replaceAll(number ->
                        "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
    }

    private static Optional<String> text(@Nullable Object value) {
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    @SuppressWarnings("unchecked") // The JSON reader makes maps with text keys.
    private static Map<String, Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }
}
