package dev.muster.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A JSON Schema of the documentation. Here an unknown key is a problem: readers must accept one, but Muster must not write one. */
final class Schema {

    private final JsonSchema schema;
    private final Set<String> keys = new TreeSet<>();

    private Schema(JsonNode root) {
        close(root);
        schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(root);
    }

    static Schema of(String file) {
        return new Schema(Json.parse(Scene.read(Path.of("../docs", file))));
    }

    List<String> problems(JsonNode document) {
        return schema.validate(document).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    /** All keys that documents may have, at any depth. */
    Set<String> keys() {
        return keys;
    }

    private void close(JsonNode node) {
        if (node.get("properties") instanceof ObjectNode properties) {
            ((ObjectNode) node).put("additionalProperties", false);
            properties.fieldNames().forEachRemaining(keys::add);
        }
        node.forEach(this::close);
    }
}
