package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code muster logs}, of jobs that run and of jobs that have ended. */
@ExtendWith(Scenes.class)
class LogsIT {

    @Test
    @DisplayName("-f shows what the ranks of a running job print, over a restart and a renamed log, until the job ends")
    void followsAJob(Scene scene) throws IOException {
        String rank = scene.script(
                "rank",
                "echo \"run $MUSTER_RUN of $RANK\"; : > $scene/up-$MUSTER_RUN-$RANK",
                "until [ -e $scene/go-$MUSTER_RUN ]; do sleep 0.02; done",
                "[ $RANK = 0 ] || until [ -e $scene/end-$MUSTER_RUN ]; do sleep 0.02; done",
                "printf 'end of %s' $RANK; : > $scene/end-$MUSTER_RUN",
                "[ $MUSTER_RUN = 2 ] || exit $((3 * RANK))");
        Launched job =
                job(scene, "--restarts", "1", "--timestamps").with("--", rank).start();
        scene.awaitFiles("up-1-0", "up-1-1");
        Launched all = logs(scene, "-f").start();
        Launched one = logs(scene, "1", "-f", "--grep", "^(run|end) ").start();
        all.awaitOutput("[rank 1] run 1 of 1");
        one.awaitOutput("run 1 of 1");
        Files.move(log(scene, 0), log(scene, 0).resolveSibling("rotated"));
        Scene.write(scene.beside("go-1"), "");
        job.awaitMessage("run 2 begins in");
        Launched between = logs(scene, "-f").start();
        scene.awaitFiles("up-2-0", "up-2-1");
        all.awaitOutput("[rank 0] run 2 of 0");
        between.awaitOutput("[rank 0] run 2 of 0");
        Scene.write(scene.beside("go-2"), "");
        job.await().endedWith(0);
        between.await().endedWith(0).doesNotSay("no log");
        List<String> lines = all.await().endedWith(0).outputLines();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("[rank 0] ") && !line.contains("----"))
                .containsExactly(
                        "[rank 0] run 1 of 0", "[rank 0] end of 0", "[rank 0] run 2 of 0", "[rank 0] end of 0");
        assertThat(one.await().endedWith(0).outputLines())
                .containsExactly("run 1 of 1", "end of 1", "run 2 of 1", "end of 1");
    }

    @Test
    @DisplayName("-f ends with the job, also when the launcher is a zombie")
    void endsWithALauncherThatIsAZombie(Scene scene) {
        String rank = scene.script("rank", "echo begin; until [ -e $scene/go ]; do sleep 0.02; done");
        Launched parent = job(scene)
                .with("--", rank)
                .behind("bash", "-c", "\"$@\" & exec sleep 600", "parent")
                .start();
        parent.awaitOutput("[rank 1] begin");
        Launched logs = logs(scene, "-f").start();
        logs.awaitOutput("[rank 1] begin");
        Scene.write(scene.beside("go"), "");
        logs.await().endedWith(0);
        parent.signal("TERM");
        parent.await();
    }

    @Test
    @DisplayName("logs of a job that has ended are found by its result; --since selects lines by their times")
    void showsAJobThatHasEnded(Scene scene) throws IOException {
        String rank = scene.script(
                "rank",
                "[ $RANK = 0 ] || until [ -e $scene/first ]; do sleep 0.02; done",
                "echo \"line of $RANK\"; [ $RANK = 1 ] || sleep 0.1; : > $scene/first");
        job(scene, "--timestamps").with("--", rank).run().endedWith(0);
        assertThat(logs(scene).run().endedWith(0).outputLines())
                .containsExactly("[rank 0] line of 0", "[rank 1] line of 1");
        assertThat(logs(scene, "--log-dir", "muster-logs", "1", "--timestamps")
                        .run()
                        .endedWith(0)
                        .output())
                .matches("20[0-9-]{8}T[0-9:]{8}\\.[0-9]{3}Z line of 1\n");
        assertThat(logs(scene, "--since", "1h", "--grep", "of [^0]")
                        .run()
                        .endedWith(0)
                        .doesNotSay("no times")
                        .output())
                .isEqualTo("[rank 1] line of 1\n");
        assertThat(logs(scene, "--since", "0s").run().endedWith(0).output()).isEmpty();
        Files.move(log(scene, 0).getParent(), scene.beside("moved"));
        assertThat(logs(scene, "--log-dir", scene.beside("moved").toString(), "1")
                        .run()
                        .endedWith(0)
                        .output())
                .isEqualTo("line of 1\n");
    }

    @Test
    @DisplayName("missing results and logs are named")
    void whatIsNotThere(Scene scene) {
        logs(scene).run().endedWith(69).says("no logs: ", "has no result", "--log-dir DIR");
        job(scene).with("--", "echo", "told").run().endedWith(0);
        logs(scene, "0", "--since", "1s")
                .run()
                .endedWith(0)
                .says("rank 0: ", "has no times, since the job was started without --timestamps: all of it is shown");
        logs(scene, "0,7").run().endedWith(64).says("has no log of rank 7 here. It has those of ranks 0-1");
        logs(scene, "x").run().endedWith(64).says("\"x\" is not a list of ranks");
        logs(scene, "--grep", "(").run().endedWith(64).says("--grep: \"(\" is no regular expression");
    }

    @Test
    @DisplayName("last lines of ranks on other nodes come over the link, masked")
    void asksOtherNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "last")
                .script(
                        "echo \"line of $me, token=hf_abcdefghijklmnopqrstuvwxyzabcdefgh\"; note waits",
                        "exec sleep 600")
                .startAll();
        assertThat(onHost(scene, job, "--all-nodes").endedWith(0).outputLines())
                .containsExactly(
                        "[rank 1] line of 1, token=******",
                        "[rank 0] line of 0, token=hf_abcdefghijklmnopqrstuvwxyzabcdefgh");
        assertThat(onHost(scene, job, "1,9")
                        .endedWith(0)
                        .says("no node tells of rank 9", "of ranks on other nodes these are the last lines alone")
                        .outputLines())
                .containsExactly("[rank 1] line of 1, token=******");
        job.launched(0).signal("TERM");
        job.end(143);
    }

    @Test
    @DisplayName("-f follows ranks on other nodes, over a restart, until the job ends, masked")
    void followsOtherNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "news")
                .with("--restarts", "1")
                .script(
                        "echo \"run $MUSTER_RUN of $me\"; note waits",
                        "await go$MUSTER_RUN; echo \"end $MUSTER_RUN of $me, token=hf_abcdefghijklmnopqrstuvwxyzabcdefgh\"",
                        "[ $MUSTER_RUN = 2 ] || exit 3")
                .startAll();
        Launched logs = logsOnHost(scene, job, "--all-nodes", "-f").start();
        logs.awaitOutput("[rank 1] run 1 of 1");
        job.notes().say("go1", 1);
        logs.awaitOutput("[rank 1] run 2 of 1");
        job.notes().say("go2", 1);
        logs.awaitOutput("[rank 1] end 2 of 1");
        job.notes().say("go2", 0);
        job.end(0);
        assertThat(logs.await().endedWith(0).says("and then what is new").outputLines())
                .filteredOn(line -> line.startsWith("[rank 1] ") && !line.contains("----"))
                .containsExactly(
                        "[rank 1] run 1 of 1",
                        "[rank 1] end 1 of 1, token=******",
                        "[rank 1] run 2 of 1",
                        "[rank 1] end 2 of 1, token=******");
    }

    private static Result onHost(Scene scene, LinkJob job, String... words) {
        return logsOnHost(scene, job, words).run();
    }

    private static Invocation logsOnHost(Scene scene, LinkJob job, String... words) {
        Invocation logs = scene.muster("logs").with(words).behind(TestHost.AS_USER);
        return job.host(0).here(logs, TestHost.USER_HOME);
    }

    private static Path log(Scene scene, int rank) {
        return scene.directory()
                .resolve("muster-logs/" + scene.jobId() + "-proc-rank-" + rank + "-device-" + rank + ".txt");
    }

    private static Invocation logs(Scene scene, String... words) {
        return scene.apart(scene.muster("logs", "--job", scene.jobId())).with(words);
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "2", "--job-id", scene.jobId())
                .with(options));
    }
}
