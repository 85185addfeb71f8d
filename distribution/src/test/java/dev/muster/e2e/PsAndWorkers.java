package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ps and workers that listen on their ports, on every address, as TensorFlow does. They end when a test says so. For a launcher they
 * look like TensorFlow, but save the seconds of its import. An evaluator does not listen.
 */
final class PsAndWorkers {

    private static final String PROGRAM = """
            import json, os, socket, sys, time
            scene = sys.argv[1]
            flags = dict(zip(sys.argv[2::2], sys.argv[3::2]))
            if flags:
                job, index = flags["--job_name"], int(flags["--task_index"])
                address = flags["--%s_hosts" % job].split(",")[index]
            else:
                config = json.loads(os.environ["TF_CONFIG"])
                job, index = config["task"]["type"], config["task"]["index"]
                list = config["cluster"][job]
                address = list[str(index)] if isinstance(list, dict) else list[index]
            name = "%s-%d" % (job, index)
            port = int(address.rpartition(":")[2])
            print(name, "is up", flush=True)
            end = os.path.join(scene, "end-" + name)
            listener = None
            if job != "evaluator" and not os.path.exists(os.path.join(scene, "deaf-" + name)):
                listener = socket.create_server(("", port))
                listener.settimeout(0.05)
            note = os.path.join(scene, "up-" + name)
            with open(note + ".part", "w") as file:
                file.write("%d %d" % (os.getpid(), port))
            os.rename(note + ".part", note)
            while not os.path.exists(end):
                try:
                    if listener:
                        listener.accept()[0].close()
                    else:
                        time.sleep(0.05)
                except socket.timeout:
                    pass
            with open(end) as file:
                sys.exit(int(file.read()))
            """;

    private final Scene scene;

    private PsAndWorkers(Scene scene) {
        this.scene = scene;
    }

    static PsAndWorkers in(Scene scene) {
        Components.require("python3");
        Scene.write(scene.beside("member.py"), PROGRAM);
        return new PsAndWorkers(scene);
    }

    /** The training command. Its processes learn role and index from arguments that the launcher appends, or from TF_CONFIG. */
    String[] command() {
        return new String[] {
            // Without site packages, whose import takes longer than the rest.
            "python3",
            "-I",
            "-S",
            scene.beside("member.py").toString(),
            scene.beside("").toString()
        };
    }

    /** Waits until processes listen, for example {@code worker-0}. */
    PsAndWorkers await(String... names) {
        for (String name : names) {
            scene.awaitFiles("up-" + name);
        }
        return this;
    }

    long pid(String name) {
        return Long.parseLong(note(name)[0]);
    }

    int port(String name) {
        return Integer.parseInt(note(name)[1]);
    }

    boolean isRunning(String name) {
        return Processes.isRunning(pid(name));
    }

    /** Lets a process end by itself. */
    PsAndWorkers end(String name, int exitCode) {
        Path whole = scene.beside("end-" + name);
        Path part = scene.beside("end-" + name + ".part");
        Scene.write(part, Integer.toString(exitCode));
        try {
            Files.move(part, whole);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    PsAndWorkers kill(String name) {
        Processes.signal("KILL", pid(name));
        return this;
    }

    /** Lets a process run without ever listening. */
    PsAndWorkers deaf(String name) {
        Scene.write(scene.beside("deaf-" + name), "");
        return this;
    }

    boolean wasStarted(String name) {
        return Files.exists(scene.beside("up-" + name));
    }

    private String[] note(String name) {
        return Scene.read(scene.beside("up-" + name)).split(" ", -1);
    }
}
