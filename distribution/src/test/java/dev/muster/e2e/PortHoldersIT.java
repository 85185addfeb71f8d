package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A port of the job that another process or launcher already has. */
@ExtendWith(Scenes.class)
class PortHoldersIT {

    /** Holds the lock of a port (UDP), which any user can take, or the port itself (TCP). */
    private static final String HOLD = """
            import socket, sys, time
            kind, address, note = sys.argv[1:4]
            held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
            held.bind((address, 0))
            if kind == "tcp":
                held.listen()
            with open(note + ".part", "w") as file:
                file.write(str(held.getsockname()[1]))
            import os
            os.rename(note + ".part", note)
            time.sleep(600)
            """;

    private static Launched holder(Scene scene, String kind, String address, String... user) {
        Components.require("python3");
        scene.beside("notes").toFile().mkdir();
        scene.beside("notes").toFile().setWritable(true, false);
        // The arguments look like those of a launcher.
        Launched holder = scene.command("python3", "-c", HOLD, kind, address)
                .with(scene.beside("notes") + "/port", "dev.muster.Start", "--token", "geheim")
                .set("MUSTER_JOB", "0123")
                .behind(user)
                .start();
        scene.awaitFiles("notes/port");
        return holder;
    }

    private static Result job(Scene scene, String... command) {
        return scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--cards", "1", "-o", "processes=per-card")
                .with("--job-id", scene.jobId(), "--master-port", Scene.read(scene.beside("notes/port")), "--")
                .with(command)
                .run();
    }

    @Test
    @DisplayName("another user's lock of a port refuses no job that was given the port")
    void aWordOfAStrangersRefusesNothing(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv");
        Launched stranger =
                holder(scene, "udp", "127.9.0.2", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");

        job(scene, "/bin/true").endedWith(0).doesNotSay("geheim");

        stranger.signal("KILL").await();
    }

    @Test
    @DisplayName("the process that listens on a port is named by pid and user, without its arguments")
    void whoListensIsNamedWithoutItsCommand(Scene scene) {
        Launched listener = holder(scene, "tcp", "0.0.0.0", "env", "-u", "MUSTER_JOB");

        job(scene, "/bin/true")
                .endedWith(69)
                .says("port " + Scene.read(scene.beside("notes/port")), "pid " + listener.pid() + " (python3) of user ")
                .doesNotSay("geheim", "--token", "dev.muster.Start");

        listener.signal("KILL").await();
    }

    @Test
    @DisplayName("a port that another launcher of the same user has announced is refused")
    void aLauncherKeepsItsPort(Scene scene) {
        Launched holder = holder(scene, "udp", "0.0.0.0");
        holder.signal("KILL").await();
        String program = scene.script("rank", "touch $scene/started", "exec sleep 600");
        Launched first = scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--cards", "1")
                .with("-o", "processes=per-card", "--job-id", "first")
                .with("--master-port", Scene.read(scene.beside("notes/port")), "--", program)
                .start();
        scene.awaitFiles("started");

        Result second = job(scene, "/bin/true").endedWith(69).says("another job", "its launcher is pid ");

        assertThat(second.messages()).doesNotContain("--job-id", "muster.jar");
        first.signal("TERM").await().wasTerminated();
    }
}
