package dev.muster.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod of a real job on Kubernetes was told: the recordings are those of the tests of the platforms' readers.
 *
 * @param hostName what it is called
 * @param environment of its first process
 */
record RecordedPod(String hostName, Map<String, String> environment) {

    private static final Path RECORDINGS =
            Product.project().resolve("core/runtime/src/test/resources/dev/muster/runtime/platform/recorded");

    static RecordedPod of(String name) {
        JsonNode recording = Json.parse(Scene.read(RECORDINGS.resolve(name + ".json")));
        Map<String, String> environment = new TreeMap<>();
        recording
                .get("environment")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        return new RecordedPod(recording.get("hostName").asText(), environment);
    }

    /** What a launcher says in this pod, but for files. */
    Result answer(Invocation launcher) {
        return launcher.set(environment).answerOn(hostName);
    }

    /** Makes a launcher believe that it is in this pod, but for files. Needs the rights to make namespaces. */
    Invocation around(Invocation launcher) {
        return launcher.set(environment).after("hostname " + hostName).behind("unshare", "--uts", "--");
    }
}
