package dev.muster.e2e;

import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares documents with a JSON Schema (draft 2020-12), of which it knows what Muster's own uses; any other keyword is an error.
 * Keys that the schema does not name count as problems: a reader must accept them, a writer must not make them.
 */
final class JsonSchema {

    private static final Set<String> KNOWN = Set.of(
            "$schema",
            "$id",
            "$defs",
            "$ref",
            "title",
            "description",
            "type",
            "properties",
            "required",
            "items",
            "enum",
            "const",
            "minimum",
            "maximum",
            "pattern",
            "format",
            "maxItems");

    private final Map<String, Object> root;

    private JsonSchema(Map<String, Object> root) {
        this.root = root;
    }

    /** The schema in a file. */
    static JsonSchema in(Path file) {
        try {
            return new JsonSchema(Json.read(Files.readAllBytes(file))
                    .orElseThrow(why -> new IllegalArgumentException(file + " " + why)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What is wrong with a document; nothing when it is as it should be. */
    List<String> problems(Map<String, Object> document) {
        List<String> problems = new ArrayList<>();
        check(root, document, "", problems);
        return problems;
    }

    /** All keys that documents may have, wherever. */
    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        collect(root, keys);
        return keys;
    }

    private static void collect(Object schema, Set<String> keys) {
        if (schema instanceof Map<?, ?> map) {
            if (map.get("properties") instanceof Map<?, ?> properties) {
                properties.keySet().forEach(key -> keys.add(String.valueOf(key)));
            }
            map.values().forEach(value -> collect(value, keys));
        }
    }

    private void check(Map<?, ?> schema, Object value, String path, List<String> problems) {
        Map<?, ?> rules = resolved(schema);
        for (Object keyword : rules.keySet()) {
            if (!KNOWN.contains(String.valueOf(keyword))) {
                throw new IllegalArgumentException("the schema has the keyword " + keyword + " at " + path);
            }
        }
        String where = path.isEmpty() ? "/" : path;
        if (!types(rules).isEmpty() && types(rules).stream().noneMatch(type -> isOfType(type, value))) {
            problems.add(where + " is no " + String.join(" or ", types(rules)) + ": " + value);
            return;
        }
        checkValue(rules, value, where, problems);
        if (value instanceof Map<?, ?> object) {
            checkObject(rules, object, path, problems);
        } else if (value instanceof List<?> list && rules.get("items") instanceof Map<?, ?> items) {
            for (int index = 0; index < list.size(); index++) {
                check(items, list.get(index), path + "/" + index, problems);
            }
        }
    }

    private Map<?, ?> resolved(Map<?, ?> schema) {
        if (!(schema.get("$ref") instanceof String reference)) {
            return schema;
        }
        Map<?, ?> found = root;
        for (String step : reference.substring(2).split("/", -1)) {
            if (!(found.get(step) instanceof Map<?, ?> next)) {
                throw new IllegalArgumentException("the schema has no " + reference);
            }
            found = next;
        }
        return found;
    }

    /** Which a value may be of; empty: any. */
    private static List<String> types(Map<?, ?> rules) {
        Object types = rules.get("type");
        return types instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : types instanceof String one ? List.of(one) : List.of();
    }

    private static boolean isOfType(String type, @Nullable Object value) {
        return switch (type) {
            case "null" -> value == null;
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Long || value instanceof Integer;
            default -> throw new IllegalArgumentException("the schema has the type " + type);
        };
    }

    private static void checkValue(Map<?, ?> rules, Object value, String where, List<String> problems) {
        boolean isListed = !(rules.get("enum") instanceof List<?> all) || all.contains(value);
        boolean isConstant = !rules.containsKey("const") || value.equals(rules.get("const"));
        boolean isInRange = !(value instanceof Number number)
                || (compare(number, rules.get("minimum"), 0) >= 0 && compare(number, rules.get("maximum"), 0) <= 0);
        boolean matches = !(rules.get("pattern") instanceof String pattern)
                || (value instanceof String text
                        && Pattern.compile(pattern).matcher(text).find());
        boolean fits = !(rules.get("maxItems") instanceof Number most)
                || (value instanceof List<?> list && list.size() <= most.intValue());
        if (!isListed || !isConstant || !isInRange || !matches || !fits) {
            problems.add(where + " has a value that it must not have: " + value);
        }
    }

    private static int compare(Number value, @Nullable Object bound, int without) {
        return bound instanceof Number limit
                ? new BigDecimal(value.toString()).compareTo(new BigDecimal(limit.toString()))
                : without;
    }

    private void checkObject(Map<?, ?> rules, Map<?, ?> object, String path, List<String> problems) {
        Map<?, ?> properties = rules.get("properties") instanceof Map<?, ?> known ? known : Map.of();
        if (rules.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(key -> !object.containsKey(key))
                    .forEach(key -> problems.add(path + "/" + key + " is missing"));
        }
        object.forEach((key, value) -> {
            if (properties.get(key) instanceof Map<?, ?> schema) {
                check(schema, value, path + "/" + key, problems);
            } else {
                problems.add(path + "/" + key + " is not in the schema");
            }
        });
    }
}
