package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code muster stop} and {@code muster ps} as hooks of a container. They enter its PID namespace from outside. */
@ExtendWith(Scenes.class)
class StopCommandIT {

    private static final String[] READY = {"ready-0", "ready-1"};
    private static final int STRANGER = 47113;
    private static final Schema SCHEMA = Schema.of("ps.schema.json");

    @BeforeEach
    void requireNamespaces() {
        Components.requireRoot();
        Components.require("unshare", "nsenter", "setpriv");
    }

    /** Ranks that need {@code seconds} seconds to save. */
    static String saver(Scene scene, String seconds) {
        return scene.script(
                "rank",
                "trap 'sleep " + seconds + "; : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
    }

    static String stubborn(Scene scene) {
        return scene.script("rank", "trap '' TERM", ": > $scene/ready-$me", "exec sleep 600");
    }

    /** A container with a command as its first process. */
    static Launched container(Invocation command) {
        return contained(command).start();
    }

    /** Hides the sockets of other tests' launchers: they may be process 1 of their containers, too, and too busy to answer. */
    static Invocation contained(Invocation command) {
        return command.after("mount -t tmpfs none /dev/shm; [ ! -d /run/user ] || mount -t tmpfs none /run/user")
                .behind("unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc");
    }

    private static Invocation node(Scene scene, String index) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--nodes", "2", "--hosts", "10.9.0.1,10.9.0.2", "--node-index", index, "--job-id", "both")
                .with("--cards", "1", "-o", "processes=per-card", "--grace", "100ms", "--link", "required", "--");
    }

    static Launched ready(Scene scene, Invocation command) {
        Launched container = container(command);
        scene.awaitFiles(READY);
        return container;
    }

    /** A command that enters a container, as the kubelet runs a hook. */
    static Invocation hook(Scene scene, Launched container, String... words) {
        return inside(container, scene.muster(words));
    }

    static Invocation inside(Launched container, Invocation command) {
        String first = Long.toString(Processes.inNamespaces(container.pid()));
        return command.behind("nsenter", "--target", first, "--pid", "--mount");
    }

    @DisplayName(
            "a hook gives ranks more time than the launcher does, and ends with 0 before the container's first process")
    @Test
    void aHookSetsALongerGrace(Scene scene) {
        Launched container = ready(scene, scene.job(2, "--grace", "100ms").with(saver(scene, "0.5")));
        hook(scene, container, "stop", "--grace", "30s").run().endedWith(0).says("has ended with exit code 143");
        container.await().endedWith(143).says("the grace of this stop is 30s, not 100ms");
        scene.assertNothingIsLeft();
        scene.assertFiles("saved-0", "saved-1");
    }

    @DisplayName("muster stop of a plain jar sets a longer grace for the launcher of a plain jar")
    @Test
    void theSameOfAPlainJar(Scene scene) {
        Launched container = ready(scene, scene.jarJob(2, "--grace", "100ms").with(saver(scene, "0.5")));
        inside(container, scene.jar("stop", "--grace", "30s"))
                .run()
                .endedWith(0)
                .doesNotSay("nothing yet");
        container.await().endedWith(143);
        scene.assertFiles("saved-0", "saved-1");
    }

    @DisplayName("a shorter grace shortens a running stop; the private directory's path may be longer than a socket's")
    @Test
    void aShorterGraceShortens(Scene scene) throws Exception {
        Path deep = Files.createDirectories(scene.beside("d".repeat(100)).resolve("e".repeat(100)));
        Launched container = ready(
                scene,
                scene.job(2, "--grace", "10m")
                        .with(stubborn(scene))
                        .set("TMPDIR", deep.toString())
                        .unset("XDG_RUNTIME_DIR"));
        Launched first = hook(scene, container, "stop").start().awaitMessage("(grace 10m, its own)");
        hook(scene, container, "stop", "--grace", "200ms").run().endedWith(0);
        first.await().endedWith(0);
        container.await().endedWith(143).says("SIGKILL after the grace period");
        scene.assertNothingIsLeft();
    }

    @DisplayName("a longer grace prolongs a stop that has begun, and a killed muster stop changes nothing")
    @Test
    void aLongerGraceProlongs(Scene scene) {
        Launched container = ready(scene, scene.job(2, "--grace", "15s").with(saver(scene, "15.5")));
        Processes.signal("TERM", Processes.inNamespaces(container.pid()));
        container.awaitMessage("received SIGTERM");
        Launched hook = hook(scene, container, "stop", "--grace", "30s").start().awaitMessage("(grace 30s)");
        Processes.signal("KILL", Processes.inNamespaces(hook.pid()));
        container.await().endedWith(143);
        scene.assertFiles("saved-0", "saved-1");
        scene.assertNothingIsLeft();
    }

    @DisplayName(
            "several launchers: muster stop refuses and lists them; --job and --all choose; the JSON fits its schema")
    @Test
    void severalLaunchersAreToldApart(Scene scene) {
        String rank = scene.script("rank", ": > $scene/ready-$1-$RANK", "exec sleep 600");
        String both = "\"$@\" --job-id one -- " + rank + " one & \"$@\" --job-id two -- " + rank + " two & wait;"
                // The hook would end with the first process of the container.
                + " until [ -e " + scene.beside("go") + " ]; do sleep 0.1; done";
        Invocation job = scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--cards", "1", "-o", "processes=per-card")
                .behind("/bin/sh", "-c", both, "sh");
        Launched container = container(job);
        scene.awaitFiles("ready-one-0", "ready-two-0");
        hook(scene, container, "stop").run().endedWith(64).says("several launchers", "job one", "job two", "--all");
        hook(scene, container, "stop", "--job", "three").run().endedWith(64).says("no launcher of job \"three\"");
        Result list = hook(scene, container, "ps", "--format", "json").run().endedWith(0);
        assertThat(list.output()).contains("\"job\": \"one\"", "\"job\": \"two\"", "\"rank\": 0", "\"answers\": true");
        assertThat(SCHEMA.problems(Json.parse(list.output()))).isEmpty();
        hook(scene, container, "stop", "--job", "one").run().endedWith(0);
        assertThat(hook(scene, container, "ps").run().endedWith(0).output())
                .doesNotContain("one ")
                .contains("two ");
        hook(scene, container, "stop", "--all").run().endedWith(0);
        Scene.write(scene.beside("go"), "");
        container.await().endedWith(0);
    }

    @DisplayName("a hook without a launcher to stop says so, and ends with 0")
    @Test
    void nobodyToStopIsSaid(Scene scene) {
        Launched container = container(scene.command("sleep", "600"));
        hook(scene, container, "stop", "--grace", "1s").run().endedWith(0).says("no launcher runs here");
        assertThat(hook(scene, container, "ps").run().endedWith(0).output()).contains("no launcher runs here");
        hook(scene, container, "stop", "--grase", "1s").run().endedWith(64).says("--grace");
        container.signal("KILL").await();
    }

    @DisplayName("a suspended JVM is resumed and stops")
    @Test
    void aJvmThatStandsStillIsWoken(Scene scene) {
        Launched container = ready(scene, scene.jarJob(2, "--grace", "20s").with(saver(scene, "0.1")));
        Processes.signal("STOP", Processes.inNamespaces(container.pid()));
        hook(scene, container, "stop", "--grace", "19s").run().endedWith(0).says("(grace 19s)");
        container.await().endedWith(143);
        scene.assertFiles("saved-0", "saved-1");
    }

    @DisplayName("a launcher that waits for its rank table is stopped, too")
    @Test
    void aLauncherThatWaitsIsStopped(Scene scene) {
        Launched container = container(scene.apart(scene.muster("--engine", "ascend", "--platform", "none"))
                .with("--rank-table", scene.beside("none.json").toString())
                .with("--job-id", "waiting", "--", "true"));
        container.awaitMessage("none.json");
        hook(scene, container, "stop", "--job", "waiting", "--grace", "5s")
                .run()
                .endedWith(0);
        container.await().endedWith(143).says("nothing was started");
    }

    @DisplayName("the supervisor uses the grace of a stop when the JVM dies in it")
    @Test
    void theSupervisorKnowsTheGrace(Scene scene) {
        Launched container = ready(
                scene,
                scene.job(2, "--grace", "10m").with(stubborn(scene)).behind("/bin/sh", "-c", "\"$@\"; exit 7", "sh"));
        hook(scene, container, "stop", "--grace", "2s").start().awaitMessage("(grace 2s)");
        long shell = Processes.inNamespaces(container.pid());
        Processes.signal("KILL", Processes.jvm(Processes.childrenOf(shell).get(0)));
        container.await().endedWith(7);
        scene.assertNothingIsLeft();
    }

    @DisplayName("--checkpoint-signal comes first, and SIGTERM half-way; a rank that dies of it is no failure")
    @Test
    void theCheckpointSignalComesFirst(Scene scene) {
        String rank = scene.script(
                "rank",
                "[ $me = 1 ] || trap ': > $scene/asked-$me' USR1",
                "[ $me = 1 ] || trap '[ -e $scene/asked-$me ] && : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "while :; do sleep 0.1; done 2> /dev/null");
        Launched container = ready(
                scene,
                scene.job(2, "--grace", "10m", "--checkpoint-signal", "sigusr1").with(rank));
        Launched hook = hook(scene, container, "stop", "--grace", "10s").start();
        scene.awaitFiles("asked-0");
        assertThat(scene.beside("saved-0")).doesNotExist();
        hook.await().endedWith(0);
        container.await().endedWith(143).says("SIGUSR1 to 2", "SIGTERM follows in 5s", "not finished");
        scene.assertFiles("saved-0");
    }

    @DisplayName(
            "--checkpoint-signal reaches the ranks of torchrun, not torchrun; a rank that dies of it is no failure")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCheckpointSignalReachesRanksOfTorchrun(boolean isHandled, Scene scene) throws Exception {
        Components.requireTorch();
        String rank = scene.script(
                "rank",
                isHandled ? "trap ': > $scene/asked-$RANK; [ $RANK = 0 ] || exit 0' USR1" : ":",
                "trap ': > $scene/saved-$RANK; exit 0' TERM",
                ": > $scene/ready-$RANK",
                "while :; do sleep 0.1; done 2> /dev/null");
        Launched container = container(scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("-o", "processes=torchrun", "--cards", "2", "--checkpoint-signal", "USR1", "--", rank));
        scene.awaitFiles(READY);
        hook(scene, container, "stop", "--grace", isHandled ? "20s" : "60s")
                .run()
                .endedWith(0);
        Result result = container.await().endedWith(143).says("SIGUSR1 to hosted ranks");
        if (isHandled) {
            result.says("SIGTERM follows in 10s").doesNotSay("SIGKILL");
            FileTime asked = Files.getLastModifiedTime(scene.beside("asked-0"));
            FileTime saved = Files.getLastModifiedTime(scene.beside("saved-0"));
            assertThat(saved).isGreaterThan(asked);
            scene.assertFiles("asked-0", "asked-1", "saved-0");
        }
        scene.assertNothingIsLeft();
    }

    @DisplayName("muster stop ignores a socket that another user made, and finds no launcher of another user")
    @Test
    void strangersAreNotBelieved(Scene scene) throws Exception {
        // Process 1 belongs to root. A muster stop that trusted the other user would signal it.
        Path planted = Path.of("/tmp/muster-" + STRANGER);
        Path socket = planted.resolve("1-" + scene.tag() + ".sock");
        String plant = "mkdir -p -m 700 " + planted
                + "; exec python3 -c 'import socket, time; s = socket.socket(socket.AF_UNIX);" + " s.bind(\"" + socket
                + "\"); s.listen(); time.sleep(600)'";
        Launched container = container(scene.command(
                "/bin/sh",
                "-c",
                "trap ': > " + scene.beside("signalled") + "' TERM; setpriv --reuid " + STRANGER
                        + " --clear-groups sh -c \"$0\" & while :; do sleep 0.1; done",
                plant));
        Await.until("the socket is there", () -> Files.exists(socket));
        hook(scene, container, "stop", "--grace", "100ms").run().endedWith(0).says("no launcher runs here");
        assertThat(scene.beside("signalled")).doesNotExist();
        container.signal("KILL").await();
        Files.deleteIfExists(socket);

        Launched own = ready(scene, scene.job(2).with(saver(scene, "0")));
        inside(own, scene.muster("stop").behind("setpriv", "--reuid", Integer.toString(STRANGER), "--clear-groups"))
                .run()
                .says("no launcher runs here");
        hook(scene, own, "stop").run().endedWith(0);
        own.await().endedWith(143);
    }

    @DisplayName("a bare stop names and leaves another user's launcher; --user stops it")
    @Test
    void anotherUsersLauncherIsLeft(Scene scene) throws Exception {
        Path place = Files.createTempDirectory(Path.of("/tmp"), "muster-theirs");
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        Invocation theirs = scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", "theirs")
                .with("--log-dir", place.toString(), "--workdir", place.toString(), "--grace", "100ms", "--")
                .with("/bin/sh", "-c", ": > up; exec sleep 600")
                .behind("setpriv", "--reuid", Integer.toString(STRANGER), "--clear-groups");
        Launched container = container(theirs);
        Await.until("the rank runs", () -> Files.exists(place.resolve("up")));
        hook(scene, container, "stop")
                .run()
                .endedWith(0)
                .says("no launcher of yours runs here", "job theirs", "--user");
        hook(scene, container, "stop", "--user", Integer.toString(STRANGER))
                .run()
                .endedWith(0)
                .says("stopping job theirs", "user ");
        container.await().endedWith(143);
    }

    @DisplayName("a stop reaches all nodes over the link, with its grace")
    @Test
    void otherNodesHaveTheGraceToo(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'sleep 0.7; : > $scene/saved-$RANK; exit 0' TERM",
                ": > $scene/ready-$RANK",
                "while :; do sleep 600 & wait; done");
        String addresses =
                "ip link set lo up; ip addr add 10.9.0.1/32 dev lo; ip addr add 10.9.0.2/32 dev lo; exec \"$@\"";
        Launched first =
                container(node(scene, "0").with(rank).behind("unshare", "--net", "/bin/sh", "-c", addresses, "sh"));
        scene.awaitFiles("ready-0");
        String network = Long.toString(Processes.inNamespaces(first.pid()));
        Launched second = contained(node(scene, "1").with(rank))
                .behind("nsenter", "--target", network, "--net")
                .start();
        scene.awaitFiles(READY);
        hook(scene, second, "stop", "--grace", "20s").run().endedWith(0);
        second.await().endedWith(143);
        first.await().endedWith(143).says("(grace 20s)");
        assertThat(scene.beside("saved-0")).exists();
        assertThat(scene.beside("saved-1")).exists();
    }
}
