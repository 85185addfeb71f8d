package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.nio.charset.StandardCharsets;

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
        JsonReading reading = JsonReader.read(input.text().getBytes(StandardCharsets.UTF_8));
        if (reading instanceof JsonReading.Complete complete) {
            return new Look.Ready(new InputValue.Json(input.origin(), complete.content()));
        }
        String reason = reading instanceof JsonReading.Incomplete incomplete
                ? incomplete.reason()
                : ((JsonReading.Wrong) reading).reason();
        throw MusterException.configuration(
                input.origin() + " " + reason + ": it must be one JSON object. Correct it, or unset it");
    }
}
