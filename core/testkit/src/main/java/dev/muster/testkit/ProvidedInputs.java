package dev.muster.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeProvision;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The inputs of a virtual node. It has the files that the engine's simulation provides, and no others. It has every program, but
 * commands fail with 127.
 */
record ProvidedInputs(NodeProvision provision) {

    /** Whole numbers become {@link Long}, as the SPI demands. */
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

    private static final int NOT_FOUND = 127;

    Optional<InputValue> value(Input input) {
        if (input instanceof Input.JsonFile json) {
            return file(json);
        }
        if (input instanceof Input.TextFile text) {
            return Optional.ofNullable(provision.files().get(text.path()))
                    .map(content -> new InputValue.Text(text.path(), content));
        }
        if (input instanceof Input.Listing listing) {
            return Optional.of(new InputValue.Text(listing.path(), ""));
        }
        if (input instanceof Input.Program program) {
            return Optional.of(new InputValue.Program("/usr/bin/" + program.name()));
        }
        return input instanceof Input.CommandOutput
                ? Optional.of(new InputValue.CommandOutput(NOT_FOUND, ""))
                : Optional.empty();
    }

    private Optional<InputValue> file(Input.JsonFile json) {
        for (String path :
                List.of(json.path(), json.path() + "/" + json.nameInDirectory().orElse(""))) {
            String content = provision.files().get(path);
            if (content != null) {
                return Optional.of(new InputValue.Json(path, parse(path, content)));
            }
        }
        return Optional.empty();
    }

    private static Map<String, Object> parse(String origin, String text) {
        try {
            return JSON.readValue(text, new TypeReference<>() {});
        } catch (JsonProcessingException wrong) {
            throw new IllegalStateException("the simulation provides " + origin, wrong);
        }
    }
}
