package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The same simulated training of two nodes twice at the same time: once undisturbed, and once with a rank that is killed. */
final class Recovery {

    /** Milliseconds after the first checkpoint within which it happens: some steps of the training. */
    private static final int MOST_LATER = 600;

    private static final Predicate<String> LATER_THAN_THE_BEGINNING = Pattern.compile(
                    "^model_checkpoint_path: \"(.*/)?model\\.ckpt-[1-9]")
            .asPredicate();

    private static final List<String> DISTURBED_NODES = List.of("--nodes", "2");

    private final Scene scene;
    private final List<String> simulation = new ArrayList<>(List.of("simulate", "--grace", "3s"));
    private final Launched undisturbed;
    private final Launched disturbed;

    /**
     * @param calmNodes of the undisturbed one: 1, without a platform, where the result does not depend on how many train
     * @param training ends with its option for a checkpoint, whose value is added
     */
    Recovery(Scene scene, int calmNodes, List<String> options, String... training) {
        this.scene = scene;
        simulation.addAll(List.of("--restarts", "2"));
        simulation.addAll(options);
        List<String> calm = calmNodes == 1 ? List.of("--nodes", "1", "--platform", "none") : DISTURBED_NODES;
        undisturbed = start("undisturbed", calm, "0", training);
        disturbed = start("disturbed", DISTURBED_NODES, "0.05", training);
    }

    private Launched start(String name, List<String> nodes, String delay, String... training) {
        return scene.apart(scene.muster(simulation.toArray(String[]::new)))
                .with(nodes.toArray(String[]::new))
                .with("--log-dir", scene.beside(name).toString(), "--")
                .with(training)
                .with(checkpoint(name).toString(), "--step-delay", delay)
                .start();
    }

    private Path checkpoint(String name) {
        return scene.beside(name + "-checkpoint");
    }

    /** Kills a rank at a random step, once there is a checkpoint to go on from; {@code isMeant} gets command and arguments. */
    Recovery kill(Predicate<String> isMeant, String variable) {
        Await.until(Training.LONG, () -> "there is a checkpoint; " + disturbed.messages(), this::hasCheckpoint);
        FaultInjection.pass(ThreadLocalRandom.current().nextInt(MOST_LATER));
        List<Long> found = Processes.tagged(scene.tag()).stream()
                .filter(process -> process.contains("disturbed-checkpoint") && !process.contains("undisturbed"))
                .filter(isMeant)
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .filter(pid -> Processes.has(pid, variable))
                .toList();
        assertThat(found).as("processes of the rank").hasSize(1);
        Processes.signal("KILL", found.get(0));
        return this;
    }

    /** Demands that the disturbed one tells of each, the end of its first run among them. */
    Recovery says(String... patterns) {
        Result result = disturbed.await(Training.LONG);
        for (String pattern : patterns) {
            assertThat(result.output() + result.messages()).containsPattern(pattern);
        }
        return this;
    }

    /**
     * TensorFlow's is a directory, with one of step 0 to begin with. Which one is the newest says a file in it, which is written after
     * those of the checkpoint: whoever is killed in between goes on from the one before.
     */
    private boolean hasCheckpoint() {
        Path checkpoint = checkpoint("disturbed");
        Path newest = checkpoint.resolve("checkpoint");
        return Files.isDirectory(checkpoint)
                ? Files.exists(newest) && LATER_THAN_THE_BEGINNING.test(Scene.read(newest))
                : Files.exists(checkpoint);
    }

    /**
     * Demands that both end well, the disturbed one in its second run, and with the same result.
     *
     * @param result what the line with the result begins with
     * @return how the undisturbed one ended
     */
    Result endsLikeTheUndisturbed(String result) {
        Result calm = undisturbed.await(Training.LONG).endedWith(0);
        Result after = disturbed.await(Training.LONG).endedWith(0);
        assertThat(lines(after, result)).as("result of %s", after).isNotEmpty().isEqualTo(lines(calm, result));
        assertThat(lines(after, "goes on at step"))
                .as("ranks that go on in %s", after)
                .isNotEmpty();
        assertThat(lines(calm, "goes on at step")).isEmpty();
        assertThat(runs("undisturbed")).isEqualTo(1);
        assertThat(runs("disturbed")).isEqualTo(2);
        scene.assertNothingIsLeft();
        return calm;
    }

    /** The log of a process of the undisturbed one; {@code ending} is that of its name. */
    String undisturbedLog(String ending) {
        return read("undisturbed", ending);
    }

    /** Each once, sorted, without what the launchers put in front. */
    private static List<String> lines(Result result, String words) {
        return result.outputLines().stream()
                .filter(line -> line.contains(words) && !line.contains("muster: "))
                .map(line -> line.substring(line.indexOf(words)))
                .distinct()
                .sorted()
                .toList();
    }

    /** As the leader's result tells. */
    private int runs(String name) {
        return Json.parse(read(name, "-node-0-result.json")).path("attempts").size();
    }

    private String read(String name, String ending) {
        Path directory = scene.beside(name);
        List<String> found = Scene.tree(directory).stream()
                .filter(path -> path.endsWith(ending))
                .toList();
        assertThat(found).as("files named ...%s", ending).isNotEmpty();
        return Scene.read(directory.resolve(found.get(0)));
    }
}
