package dev.muster.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The exit codes in the documentation of the platforms are those of the launcher. */
@ExtendWith(Scenes.class)
class StartedAgainIT {

    private static final List<String> MODES = List.of("standard", "kubeflow", "modelarts");

    /** An end of a job, with its name in the page. */
    private enum End {
        SUCCESS("all ranks ended with 0", "exit 0"),
        FAILURE("a rank ended with 3", "exit 3"),
        KILLED_RANK("SIGKILL ended a rank", "kill -s KILL $$"),
        STOP("SIGTERM to a launcher", ": > $scene/up-$MODE; exec sleep 600") {
            @Override
            void bring(Scene scene, Launched launcher, String mode) {
                scene.awaitFiles("up-" + mode);
                launcher.signal("TERM");
            }
        },
        WAIT("a wait ran out, a node is lost", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return ofTable(scene, "", "missing").with("--input-timeout", "300ms", "--", command);
            }
        },
        OPTIONS("wrong options", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return scene.job(1, "--no-such-option").with(command);
            }
        },
        TABLE("a wrong rank table", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return ofTable(scene, "{\"status\": \"broken\"}", "wrong").with("--", command);
            }
        },
        ENGINE("no such engine", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return scene.muster("--engine", "no-such-engine", "--platform", "none")
                        .with("--", command);
            }
        },
        JVM("the launcher's JVM was killed", ": > $scene/jvm-$MODE; exec sleep 600") {
            @Override
            void bring(Scene scene, Launched launcher, String mode) {
                scene.awaitFiles("jvm-" + mode);
                Processes.signal("KILL", launcher.jvm());
            }
        },
        VARIABLES("wrong variables, directories", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return scene.apart(scene.muster("--engine", "pytorch-gpu"))
                        .set("SLURM_JOB_ID", "7")
                        .with("--", command);
            }
        },
        COMMAND("no such command", "exit 0") {
            @Override
            Invocation job(Scene scene, String command) {
                return scene.job(1).with("/no/such/command");
            }
        };

        private final String words;
        private final String rank;

        End(String words, String rank) {
            this.words = words;
            this.rank = rank;
        }

        Invocation job(Scene scene, String command) {
            return scene.job(1, "--grace", "1s").with(command);
        }

        /** Brings the end about, if the job alone does not. */
        void bring(Scene scene, Launched launcher, String mode) {}

        int code(Scene scene, String mode) {
            String command = scene.script("rank-" + name(), rank);
            Launched launcher = job(scene, command)
                    .set("MUSTER_EXIT_CODES", mode)
                    .set("MUSTER_JOB_ID", "job-" + name() + "-" + mode)
                    .set("MODE", mode)
                    .start();
            bring(scene, launcher, mode);
            return launcher.await().exitCode();
        }

        private static Invocation ofTable(Scene scene, String content, String name) {
            if (!content.isEmpty()) {
                Scene.write(scene.beside(name), content);
            }
            return scene.apart(scene.muster("--engine", "ascend", "--platform", "none")
                    .with("--rank-table", scene.beside(name).toString()));
        }
    }

    private static String page(String name) {
        return Scene.read(Product.project().resolve("docs/platforms/" + name + ".md"));
    }

    /** The rows of the table whose head begins with a word. The key is the first cell without links. */
    private static Map<String, List<String>> table(String head) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        boolean isInside = false;
        for (String line : page("README").lines().toList()) {
            if (line.startsWith("| " + head + " |")) {
                isInside = true;
            } else if (isInside && !line.startsWith("|")) {
                break;
            }
            if (isInside && !line.startsWith("|--")) {
                List<String> cells = new ArrayList<>(
                        List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)));
                rows.put(cells.remove(0).replaceAll("\\[(.*)]\\(.*\\)", "$1"), cells);
            }
        }
        assertThat(rows).as("table of " + head).isNotEmpty();
        return rows;
    }

    @Test
    @DisplayName("the launcher ends with the exit codes of the platforms' page, in all three modes")
    void theCodesAreThoseOfThePage(Scene scene) {
        Map<String, List<String>> rows = table("end");
        rows.remove("end");
        assertThat(rows.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        List.of(End.values()).stream().map(end -> end.words).toList());
        for (End end : End.values()) {
            List<String> cells = requireNonNull(rows.get(end.words));
            for (int mode = 0; mode < MODES.size(); mode++) {
                // A code that is the same in all modes is tried in one. ExitCodesTest checks a rank's own code in all
                // modes.
                if (mode == 0 || !cells.get(mode).equals(cells.get(0))) {
                    assertThat(Integer.toString(end.code(scene, MODES.get(mode))))
                            .as("%s, %s", end.words, MODES.get(mode))
                            .isEqualTo(cells.get(mode));
                }
            }
        }
    }
}
