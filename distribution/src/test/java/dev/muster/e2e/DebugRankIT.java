package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A rank that has the terminal: {@code --debug-rank}. */
@ExtendWith(Scenes.class)
class DebugRankIT {

    private static final String[] STEPPED = {
        "import os, sys, time",
        "me = os.environ['RANK']",
        "beside = os.path.dirname(os.path.abspath(sys.argv[0]))",
        "if me == '1':",
        "    secret = 6 * 7",
        "    open(beside + '/steps', 'w')",
        "    breakpoint()",
        "    print('went', 'on', flush=True)",
        "    open(beside + '/went-on', 'w')",
        "else:",
        "    while not os.path.exists(beside + '/went-on'): time.sleep(0.02)",
        "    print('line of', me)"
    };

    @Test
    @DisplayName("pdb runs in the terminal; the other ranks go on, with their lines on the console and in their logs")
    void pdbHasTheTerminal(Scene scene) {
        Components.require("python3");
        Scene.write(scene.beside("step.py"), String.join("\n", STEPPED) + "\n");
        Invocation job = job(scene, "--debug-rank", "1")
                .with("--", "python3", scene.beside("step.py").toString());
        Result result = Terminal.around(scene, job, "p 'is', secret\nc\n", "steps")
                .run()
                .endedWith(0);
        assertThat(result.output())
                .contains("muster: rank 1 has this terminal (--debug-rank)", "(Pdb) ", "('is', 42)", "went on")
                .contains("[rank 0] line of 0")
                .doesNotContain("[rank 1]");
        assertThat(Scene.tree(scene.directory().resolve("muster-logs")))
                .anyMatch(name -> name.contains("proc-rank-0"))
                .noneMatch(name -> name.contains("proc-rank-1"));
    }

    @Test
    @DisplayName("Ctrl-C goes to the rank and what it runs, and does not stop the job")
    void interruptsAreForTheRank(Scene scene) {
        String rank = scene.script(
                "rank",
                "[ $RANK = 1 ] || { until [ -e $scene/after ]; do sleep 0.02; done; echo saw it; exit 0; }",
                "trap 'echo \"told $0\"' INT",
                "export scene",
                "sh -c 'trap \"echo told below; exit 0\" INT; : > $scene/ready; while :; do sleep 0.02; done'",
                ": > $scene/after");
        Invocation job = job(scene, "--debug-rank", "1").with("--", rank);
        Result result = Terminal.around(scene, job, "\u0003", "ready").run().endedWith(0);
        assertThat(result.output())
                .contains("told below", "told /", "[rank 0] saw it")
                .doesNotContain("received SIGINT");
    }

    @Test
    @DisplayName("without a terminal, or without such a rank, nothing is started")
    void whatIsRefused(Scene scene) {
        job(scene, "--debug-rank", "1")
                .with("--", "true")
                .run()
                .endedWith(78)
                .says("--debug-rank 1: it is a rank of this node, and there is no terminal for it");
        job(scene, "--debug-rank", "2")
                .with("--", "true")
                .answer()
                .endedWith(78)
                .says("--debug-rank 2: the job has ranks 0-1. Give one of these");
        scene.assertNothingIsLeft();
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "2", "--job-id", scene.jobId())
                .with(options));
    }
}
