package dev.muster.testkit;

import dev.muster.runtime.json.Json;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeProvision;
import java.util.List;
import java.util.Map;

/**
 * What the inputs of a virtual node are: JSON files that the engine's own simulation provides, every program, and commands that
 * cannot be run. There are no other files.
 */
final class ProvidedInputs implements Input.Cases<InputValue> {

    private static final int NOT_FOUND = 127;

    private final NodeProvision provision;

    ProvidedInputs(NodeProvision provision) {
        this.provision = provision;
    }

    @Override
    public InputValue jsonFile(Input.JsonFile json) {
        String inDirectory = json.path() + "/" + json.nameInDirectory().orElse("");
        for (NodeProvision.ProvidedFile file : provision.files()) {
            if (file.path().equals(json.path()) || file.path().equals(inDirectory)) {
                return new InputValue.Json(file.path(), parse(file.path(), file.content()));
            }
        }
        return new InputValue.Absent();
    }

    @Override
    public InputValue jsonText(Input.JsonText json) {
        return new InputValue.Json(json.origin(), parse(json.origin(), json.text()));
    }

    @Override
    public InputValue textFile(Input.TextFile text) {
        return new InputValue.Absent();
    }

    @Override
    public InputValue listing(Input.Listing listing) {
        return new InputValue.Names(listing.path(), List.of());
    }

    @Override
    public InputValue newestFile(Input.NewestFile newest) {
        return new InputValue.Absent();
    }

    @Override
    public InputValue program(Input.Program program) {
        return new InputValue.Program("/usr/bin/" + program.name());
    }

    @Override
    public InputValue commandOutput(Input.CommandOutput command) {
        return new InputValue.CommandOutput(NOT_FOUND, "");
    }

    private static Map<String, Object> parse(String origin, String text) {
        return Json.read(text)
                .orElseThrow(
                        reason -> new IllegalStateException("the simulation provides " + origin + ": it " + reason));
    }
}
