package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A container of a ModelArts job as its platform makes it: directories and variables. */
final class ModelArtsNode {

    /** The job's id for ranks. The scheduler calls the job {@code ma-job-e2e}. */
    static final String JOB_ID = "modelarts-job-e2e";

    static final String TABLE = "jobstart_hccl.json";

    private final Path mount;
    private final Path config;
    private final Map<String, String> environment = new TreeMap<>();

    private ModelArtsNode(Path root) {
        mount = root.resolve("modelarts");
        config = root.resolve("config");
        try {
            Files.createDirectories(mount.resolve("log"));
            Files.createDirectories(config);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        environment.put("MA_MOUNT_PATH", mount.toString());
        environment.put("MA_VJ_NAME", "ma-job-e2e");
        environment.put("RANK_TABLE_FILE", config.toString());
    }

    /** A node whose rank table is not there yet. */
    static ModelArtsNode of(Scene scene, String instance) {
        ModelArtsNode node = new ModelArtsNode(scene.beside("node-" + instance));
        node.environment.put("MA_CURRENT_INSTANCE_NAME", instance);
        return node;
    }

    static ModelArtsNode of(Scene scene, String instance, String table) {
        ModelArtsNode node = of(scene, instance);
        Scene.write(node.table(), table);
        return node;
    }

    /** The variables of the container. */
    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    Path mount() {
        return mount;
    }

    /** The directory where the platform writes the rank table. */
    Path config() {
        return config;
    }

    /** Where the platform writes the rank table. */
    Path table() {
        return config.resolve(TABLE);
    }

    /** Where the launcher writes the rank table that the ranks get. */
    Path convertedTable() {
        return tables().resolve(TABLE);
    }

    Path tables() {
        return mount.resolve("rank_table");
    }

    Path logs() {
        return mount.resolve("log");
    }

    Path log(int rank, int device) {
        return logs().resolve(JOB_ID + "-proc-rank-" + rank + "-device-" + device + ".txt");
    }

    Path workDirectory(int device) {
        return mount.resolve("workspace/device" + device);
    }

    /** The packaged launcher on this node, up to the training command. */
    Invocation muster(Scene scene, String... options) {
        return scene.muster("--engine", "ascend").with(options).with("--").set(environment);
    }

    /** The plain jar on this node, up to the training command. */
    Invocation jar(Scene scene, String... options) {
        return scene.jar("--engine", "ascend").with(options).with("--").set(environment);
    }
}
