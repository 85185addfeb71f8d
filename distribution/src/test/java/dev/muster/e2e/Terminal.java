package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;

/** A terminal that a command runs in, and somebody who types into it once files are there. */
final class Terminal {

    private static final String TYPIST = """
            import os, pty, select, sys

            split = sys.argv.index("--")
            keys, files, command = sys.argv[1].encode(), sys.argv[2:split], sys.argv[split + 1:]
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(command[0], command)
            typed = False
            while True:
                if not typed and all(map(os.path.exists, files)):
                    os.write(terminal, keys)
                    typed = True
                if select.select([terminal], [], [], 0.02)[0]:
                    try:
                        output = os.read(terminal, 65536)
                    except OSError:
                        break
                    if not output:
                        break
                    os.write(1, output)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
            """;

    private Terminal() {}

    /**
     * Runs a command in a terminal of its own; its output and errors come out of standard output.
     *
     * @param keys typed once
     * @param files beside the scene's directory, all of which must be there before
     */
    static Invocation around(Scene scene, Invocation command, String keys, String... files) {
        Components.require("python3");
        Scene.write(scene.beside("typist.py"), TYPIST);
        List<String> words =
                new ArrayList<>(List.of("python3", scene.beside("typist.py").toString(), keys));
        for (String file : files) {
            words.add(scene.beside(file).toString());
        }
        words.add("--");
        return command.behind(words.toArray(String[]::new));
    }
}
