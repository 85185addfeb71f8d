package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;

/** A terminal for a command, and a program that types into it when files or words appear. */
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

    /** Awaits words of the output, and then types an answer, or does {@link #HANG_UP}. */
    private static final String ANSWERER = """
            import os, pty, select, sys

            split = sys.argv.index("--")
            answers, command, heard = sys.argv[1:split], sys.argv[split + 1:], b""
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(command[0], command)
            while True:
                if answers and answers[0].encode() in heard:
                    if answers[1] == "hang up":
                        os.close(terminal)
                        break
                    os.write(terminal, answers[1].encode())
                    answers, heard = answers[2:], b""
                if select.select([terminal], [], [], 0.02)[0]:
                    try:
                        output = os.read(terminal, 65536)
                    except OSError:
                        break
                    if not output:
                        break
                    heard += output
                    os.write(1, output)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
            """;

    /** Closes the terminal. */
    static final String HANG_UP = "hang up";

    private Terminal() {}

    /**
     * Runs a command in a terminal of its own; its output and errors come out of standard output.
     *
     * @param answers pairs: words to await in the output, and the answer to type then
     */
    static Invocation answering(Scene scene, Invocation command, String... answers) {
        Components.require("python3");
        Scene.write(scene.beside("answerer.py"), ANSWERER);
        List<String> words =
                new ArrayList<>(List.of("python3", scene.beside("answerer.py").toString()));
        words.addAll(List.of(answers));
        words.add("--");
        return command.behind(words.toArray(String[]::new));
    }

    /**
     * Runs a command in a terminal of its own; its output and errors come out of standard output.
     *
     * @param keys typed once, when all files exist
     * @param files beside the scene's directory
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
