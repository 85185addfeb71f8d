package dev.muster.runtime.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes one document: the types of {@link TreeReader} directly, other objects by their fields. */
final class TreeWriter {

    private TreeWriter() {}

    static void write(@Nullable Object value, JsonGenerator json) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double real) {
            json.writeNumber(real);
        } else if (value instanceof Boolean is) {
            json.writeBoolean(is);
        } else if (value instanceof Optional<?> there) {
            write(there.orElse(null), json);
        } else if (value instanceof Map<?, ?> object) {
            writeObject(object, json);
        } else if (value instanceof List<?> list) {
            writeList(list, json);
        } else {
            Json.Records.MAPPER.writeValue(json, value);
        }
    }

    private static void writeObject(Map<?, ?> object, JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (Map.Entry<?, ?> field : object.entrySet()) {
            json.writeFieldName(String.valueOf(field.getKey()));
            write(field.getValue(), json);
        }
        json.writeEndObject();
    }

    private static void writeList(List<?> list, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (Object element : list) {
            write(element, json);
        }
        json.writeEndArray();
    }
}
