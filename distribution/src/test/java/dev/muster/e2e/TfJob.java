package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The replicas of a TFJob as processes on this machine. Each has the variable of Kubeflow's operator. They share the machine's network,
 * so each has its own port.
 */
final class TfJob {

    /** The job's id. In a real job it follows from the host names. */
    static final String ID = "tf";

    private final Scene scene;
    private final Map<String, List<String>> addresses = new TreeMap<>();

    private TfJob(Scene scene) {
        this.scene = scene;
    }

    /** @param replicas a name for each, for example {@code worker-0}; those of a role in order */
    static TfJob of(Scene scene, String... replicas) {
        TfJob job = new TfJob(scene);
        int[] ports = Listener.free(replicas.length);
        for (int i = 0; i < replicas.length; i++) {
            job.addresses
                    .computeIfAbsent(role(replicas[i]), role -> new ArrayList<>())
                    .add("127.0.0.1:" + ports[i]);
        }
        return job;
    }

    /** A replica. All replicas have the same command line. */
    Invocation replica(String name, String... command) {
        return launcher(name, config(name)).with("--").with(command);
    }

    /** A replica of a job whose workers may come and go. */
    Invocation dynamicReplica(String name, String... command) {
        List<String> workers = addresses.getOrDefault("worker", List.of());
        String own = role(name).equals("worker") ? "\"" + index(name) + "\":\"" + workers.get(index(name)) + "\"" : "";
        String config = "{\"cluster\":{\"worker\":{" + own + "},\"ps\":" + list("ps") + "}," + task(name) + "}";
        return launcher(name, config)
                .set("KUBERNETES_SERVICE_HOST", "10.96.0.1")
                .with("--")
                .with(command);
    }

    private Invocation launcher(String name, String config) {
        return scene.muster("--engine", "tensorflow-ps")
                .set("TF_CONFIG", config)
                .set("HOSTNAME", ID + "-" + name)
                .set("MUSTER_JOB_ID", ID)
                .set("MUSTER_GRACE", "3s");
    }

    /** The TF_CONFIG that the operator writes for a replica. */
    String config(String name) {
        String cluster = addresses.keySet().stream()
                .map(role -> "\"" + role + "\":" + list(role))
                .collect(Collectors.joining(","));
        return "{\"cluster\":{" + cluster + "}," + task(name) + ",\"environment\":\"cloud\"}";
    }

    /** The names of all replicas. */
    List<String> names() {
        return addresses.entrySet().stream()
                .flatMap(role ->
                        IntStream.range(0, role.getValue().size()).mapToObj(index -> role.getKey() + "-" + index))
                .toList();
    }

    private String list(String role) {
        return "[\"" + String.join("\",\"", addresses.getOrDefault(role, List.of())) + "\"]";
    }

    private static String task(String name) {
        return "\"task\":{\"type\":\"" + role(name) + "\",\"index\":" + index(name) + "}";
    }

    private static String role(String name) {
        return name.substring(0, name.indexOf('-'));
    }

    private static int index(String name) {
        return Integer.parseInt(name.substring(name.indexOf('-') + 1));
    }
}
