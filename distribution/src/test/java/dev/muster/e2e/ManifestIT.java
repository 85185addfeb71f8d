package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code muster manifest}. The pages of the documentation show its output. Other tests prove that schedulers accept it: a real API
 * server checks the pages, and a real sbatch runs the script for Slurm.
 */
@ExtendWith(Scenes.class)
class ManifestIT {

    private static final Pattern SHOWN =
            Pattern.compile("What this prints.*?\\n\\n    muster (.*?)\\n\\n```\\w+\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("^ +command: \\[(.*)]$", Pattern.MULTILINE);
    private static final String IMAGE = "registry.example.com/train:1";

    @ParameterizedTest
    @ValueSource(strings = {"volcano", "mindx-dl", "indexed-job", "slurm"})
    void thePageShowsWhatIsPrinted(String page, Scene scene) {
        Matcher shown = SHOWN.matcher(Scene.read(Product.project().resolve("docs/platforms/" + page + ".md")));
        assertThat(shown.find()).isTrue();
        Result result = scene.muster(words(shown.group(1).replace("\\\n", " ")))
                .answer()
                .endedWith(0);
        assertThat(result.output()).isEqualTo(shown.group(2));
        assertThat(result.messages()).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}: {3} is {4}")
    @CsvSource({
        "volcano, pytorch-gpu, 3, volcano-worker-2, 2 of 3",
        "volcano, tensorflow-ps, 3, volcano-worker-2, 2 of 3",
        "volcano, mpi, 2, volcano-ssh-worker-1, 1 of 2",
        "kubernetes, tensorflow-ps, 3, indexed-job-1, 1 of 3",
        "mindx, pytorch-gpu, 2, mindx-dl-1, 1 of 2",
    })
    void aPodOfTheJobPlansTheNodesOfTheManifest(
            String platform, String engine, int nodes, String pod, String position, Scene scene) {
        Components.requireRoot();
        Components.require("mpirun", "unshare");
        Result manifest = scene.muster(
                        "manifest",
                        "--platform",
                        platform,
                        "--engine",
                        engine,
                        "--nodes",
                        Integer.toString(nodes),
                        "--cards",
                        "2",
                        "--job-id",
                        "train",
                        "--image",
                        IMAGE)
                // The keys of the plugin ssh are files. The recordings do not contain them.
                .with(engine.equals("mpi") ? new String[] {"-o", "ssh-key=" + scene.beside("key")} : new String[0])
                .with("--", "/bin/true")
                .answer()
                .endedWith(0);
        List<String> line = command(manifest.output());
        assertThat(line.remove(0)).endsWith("muster");
        // The names of the recorded pods do not resolve here.
        List<String> words = new ArrayList<>(List.of("plan", "--format", "json"));
        if (platform.equals("kubernetes")) {
            words.addAll(List.of("--hosts", "idx-0.idx,idx-1.idx,idx-2.idx"));
        }
        words.addAll(line);
        Result plan = RecordedPod.of(pod)
                .answer(scene.muster(words.toArray(String[]::new)))
                .endedWith(0);
        JsonNode node = Json.parse(plan.output()).path("nodes").path(0);
        assertThat(node.path("index").asText() + " of " + node.path("count").asText())
                .isEqualTo(position);
    }

    @Test
    void wordsArriveInTheContainerAsTheyWereTyped(Scene scene) {
        String[] typed = {
            "sh", "-c", "echo $HOME $(date) $$", "true", "1e3", "", "it's", "a: b", "[x", "tab\there", "null"
        };
        String printed =
                volcano(scene).with("--").with(typed).answer().endedWith(0).output();
        assertThat(command(printed).stream().map(ManifestIT::expanded)).endsWith(typed);
    }

    /** A word of a command, as Kubernetes expands it. */
    private static String expanded(String word) {
        return word.replace("$$", "$");
    }

    @Test
    void whatIsMissingOrWrongIsNamed(Scene scene) {
        String platforms = "volcano, mindx, kubernetes, slurm";
        scene.muster("manifest", "--engine", "mpi", "--", "true")
                .answer()
                .endedWith(64)
                .says("--platform: " + platforms);
        assertThat(scene.muster("manifest", "--help").answer().output().replaceAll("\\s+", " "))
                .contains("for which platform: " + platforms);
        scene.muster("manifest", "--engine", "mpi", "--platform", "vulcano", "--", "true")
                .answer()
                .endedWith(64)
                .says("did you mean volcano?");
        scene.muster("manifest", "--engine", "mpi", "--platform", "slurm", "--job-id", "a", "--", "true")
                .answer()
                .endedWith(64)
                .says("needs --nodes N");
        volcano(scene)
                .with("--job-id", "Train_1", "--", "true")
                .answer()
                .endedWith(64)
                .says("--job-id is given twice");
        scene.muster("manifest", "--engine", "mpi", "--platform", "volcano", "--nodes", "2", "--job-id", "Train_1")
                .with("--image", IMAGE, "--", "true")
                .answer()
                .endedWith(64)
                .says("--job-id: \"Train_1\" cannot be the name of a job there");
        scene.muster("manifest", "--engine", "mpi", "--platform", "volcano", "--nodes", "2", "--job-id", "a")
                .with("--image", "a b", "--", "true")
                .answer()
                .endedWith(64)
                .says("--image: \"a b\" is not the name of an image");
        scene.muster("launch", "--engine", "mpi", "--image", IMAGE, "--", "true")
                .answer()
                .endedWith(64)
                .says("--image belongs to muster manifest");
    }

    @Test
    void theScriptForSbatchIsOneThatShellcheckLikes(Scene scene) {
        Components.require("shellcheck");
        String[] job = {"--platform", "slurm", "--engine", "mpi", "--nodes", "2", "--job-id", "train", "--image", IMAGE
        };
        String script = scene.muster("manifest")
                .with(job)
                .with("--", "sh", "-c", "echo $HOME 'it is' \"$1\"")
                .run()
                .endedWith(0)
                .output();
        Scene.write(scene.beside("job.sh"), script);
        Result result = scene.command(
                        "shellcheck",
                        "--severity=warning",
                        scene.beside("job.sh").toString())
                .run();
        assertThat(result.output() + result.messages()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    private static Invocation volcano(Scene scene) {
        return scene.muster("manifest", "--platform", "volcano", "--engine", "pytorch-gpu")
                .with("--nodes", "3", "--job-id", "train", "--image", IMAGE);
    }

    private static String[] words(String line) {
        return line.strip().split("\\s+", -1);
    }

    /** A list of YAML between brackets, whose words are plain or texts of JSON. */
    private static List<String> command(String manifest) {
        Matcher command = COMMAND.matcher(manifest);
        assertThat(command.find()).as(manifest).isTrue();
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[^,\" ]+").matcher(command.group(1));
        while (word.find()) {
            String text = word.group();
            words.add(
                    text.startsWith("\"") ? Json.parse("[" + text + "]").get(0).asText() : text);
        }
        return words;
    }
}
