package dev.muster.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Host name and environment of a pod of a real job on Kubernetes. The tests of the platforms' readers use the same recordings.
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

    /** The answer of a launcher with the host name and environment of this pod. Files of the pod are not there. */
    Result answer(Invocation launcher) {
        return launcher.set(environment).answerOn(hostName);
    }

    /** Gives a launcher the host name and environment of this pod, but not its files. Needs the right to make namespaces. */
    Invocation around(Invocation launcher) {
        return launcher.set(environment).after("hostname " + hostName).behind("unshare", "--uts", "--");
    }
}
