package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.util.Map;

/** A JSON object that came as a text, in a variable for example. Nobody writes it any more, so it is right or wrong at once. */
final class JsonTextSource implements Source {

    private final Input.JsonText input;

    JsonTextSource(Input.JsonText input) {
        this.input = input;
    }

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return input.origin();
    }

    /** The text itself is not shown: it may be long, and it is somebody else's. */
    @Override
    public Look look() {
        Map<String, Object> content = Json.read(input.text())
                .orElseThrow(reason -> MusterException.configuration(
                        input.origin() + " " + reason + ": it must be one JSON object. Correct it, or unset it"));
        return new Look.Ready(new InputValue.Json(input.origin(), content));
    }
}
