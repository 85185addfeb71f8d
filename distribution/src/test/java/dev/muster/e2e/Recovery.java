package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A simulated training of two nodes in which the test kills a rank. */
final class Recovery {

    /** The kill comes at most so many milliseconds after the first checkpoint. That is some steps of the training. */
    private static final int MOST_LATER = 600;

    private static final Predicate<String> LATER_THAN_THE_BEGINNING = Pattern.compile(
                    "^model_checkpoint_path: \"(.*/)?model\\.ckpt-[1-9]")
            .asPredicate();

    private final Scene scene;
    private final Launched launcher;

    /** @param training ends with the option for the checkpoint; this class adds the value */
    Recovery(Scene scene, List<String> options, String... training) {
        this.scene = scene;
        launcher = scene.apart(scene.muster("simulate", "--nodes", "2", "--grace", "3s", "--restarts", "2"))
                .with(options.toArray(String[]::new))
                .with("--log-dir", logs().toString(), "--")
                .with(training)
                .with(checkpoint().toString(), "--step-delay", "0.05")
                .start();
    }

    private Path logs() {
        return scene.beside("logs");
    }

    private Path checkpoint() {
        return scene.beside("checkpoint");
    }

    /** Kills a rank at a random step after the first checkpoint. {@code isMeant} gets command and arguments. */
    Recovery kill(Predicate<String> isMeant, String variable) {
        Await.until(Training.LONG, () -> "there is a checkpoint; " + launcher.messages(), this::hasCheckpoint);
        FaultInjection.pass(ThreadLocalRandom.current().nextInt(MOST_LATER));
        List<Long> found = Processes.tagged(scene.tag()).stream()
                .filter(process -> process.contains(checkpoint().toString()))
                .filter(isMeant)
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .filter(pid -> Processes.has(pid, variable))
                .toList();
        assertThat(found).as("processes of the rank").hasSize(1);
        Processes.signal("KILL", found.get(0));
        return this;
    }

    /**
     * TensorFlow has a directory, with a checkpoint of step 0 at first. A file in it names the newest one. TensorFlow writes that file
     * after the checkpoint, so a training that was killed in between goes on from the one before.
     */
    private boolean hasCheckpoint() {
        Path checkpoint = checkpoint();
        Path newest = checkpoint.resolve("checkpoint");
        return Files.isDirectory(checkpoint)
                ? Files.exists(newest) && LATER_THAN_THE_BEGINNING.test(Scene.read(newest))
                : Files.exists(checkpoint);
    }

    /** Asserts that the second attempt succeeds, with the result of a training without a fault. */
    Result endsWith(String result) {
        Result end = launcher.await(Training.LONG).endedWith(0);
        assertThat(end.outputLines()).as("result of %s", end).anyMatch(line -> line.contains(result));
        assertThat(end.output()).contains("goes on at step");
        List<String> found = Scene.tree(logs()).stream()
                .filter(path -> path.endsWith("-node-0-result.json"))
                .toList();
        assertThat(found).hasSize(1);
        assertThat(Json.parse(Scene.read(logs().resolve(found.get(0)))).path("attempts"))
                .hasSize(2);
        scene.assertNothingIsLeft();
        return end;
    }
}
