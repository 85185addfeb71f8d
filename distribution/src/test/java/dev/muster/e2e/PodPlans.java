package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.app.PlansOfPods;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@code muster plan} says in many {@link RecordedPod}s, by one JVM that makes the plans one after the other. */
final class PodPlans {

    private final Scene scene;
    private final List<PlansOfPods.Call> calls = new ArrayList<>();

    PodPlans(Scene scene) {
        this.scene = scene;
    }

    /**
     * @param exitCode of the launcher
     * @param output its standard output
     * @param messages its standard error
     */
    record Answer(int exitCode, String output, String messages) {}

    /** Asks for one more plan: {@code options} follow {@code muster plan}. */
    void add(RecordedPod pod, List<String> options) {
        Map<String, String> environment = new HashMap<>(scene.muster().environment());
        environment.putAll(pod.environment());
        List<String> arguments = new ArrayList<>(List.of("plan"));
        arguments.addAll(options);
        calls.add(new PlansOfPods.Call(pod.hostName(), environment, arguments));
    }

    /** In the order in which they were asked for. */
    List<Answer> make() {
        String classes = Product.jar() + ":" + testClasses();
        String output = scene.command(
                        "unshare", "--uts", "--", scene.jdk().java().toString(), "-XX:TieredStopAtLevel=1")
                .with("-cp", classes, PlansOfPods.class.getName())
                .reading(written())
                .run()
                .endedWith(0)
                .output();
        String[] parts = output.split(PlansOfPods.SEPARATOR, -1);
        assertThat(parts).as(output).hasSize(3 * calls.size() + 1);
        List<Answer> answers = new ArrayList<>();
        for (int at = 0; at + 2 < parts.length; at += 3) {
            answers.add(new Answer(Integer.parseInt(parts[at + 1]), parts[at], parts[at + 2]));
        }
        return answers;
    }

    private Path written() {
        Path file = scene.beside("calls");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            out.writeInt(calls.size());
            for (PlansOfPods.Call call : calls) {
                call.writeTo(out);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return file;
    }

    private static Path testClasses() {
        try {
            return Path.of(PlansOfPods.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
