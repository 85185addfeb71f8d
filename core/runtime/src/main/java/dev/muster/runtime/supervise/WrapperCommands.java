package dev.muster.runtime.supervise;

import java.util.List;
import java.util.Set;

/** Knows commands that only wait for others: these get SIGTERM together with them. */
final class WrapperCommands {

    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh", "ash");

    /** Programs that run another one as a child. */
    private static final Set<String> RUNNERS = Set.of("time", "unshare", "accelerate-launch");

    private static final Set<String> SCRIPTS = Set.of("accelerate.commands.launch", "accelerate-launch");

    /** Of a shell: text whose last command it becomes. */
    private static final String EXEC = "(?:[^|]*[;&\\n])?\\s*exec (?:>&|[^|;&\\n])*";

    private WrapperCommands() {}

    /** Whether a command is such a one. Those that become what they start, as env and nice do, stand aside. */
    static boolean contain(List<String> command) {
        String program = name(command.get(0));
        List<String> arguments = command.subList(1, command.size());
        return switch (program) {
            case "conda", "mamba", "micromamba" -> arguments.contains("run");
            case "accelerate" -> arguments.contains("launch");
            case "env", "nice", "nohup", "stdbuf", "numactl", "taskset" -> isFollowedByOne(arguments);
            case "python", "python3" -> isScript(arguments);
            default ->
                RUNNERS.contains(program)
                        || (SHELLS.contains(program) && arguments.stream().noneMatch(text -> text.matches(EXEC)));
        };
    }

    private static boolean isFollowedByOne(List<String> arguments) {
        for (int at = 0; at < arguments.size(); at++) {
            String word = arguments.get(at);
            boolean isProgram = !word.startsWith("-") && !word.contains("=") && !word.matches("[0-9].*");
            boolean isOne = isProgram && contain(arguments.subList(at, arguments.size()));
            // What follows an option may be its value.
            if (isProgram && (isOne || at == 0 || !arguments.get(at - 1).startsWith("-"))) {
                return isOne;
            }
        }
        return false;
    }

    /** The script of conda or accelerate under an interpreter, as a file or as a module. */
    private static boolean isScript(List<String> arguments) {
        int at = !arguments.isEmpty() && arguments.get(0).equals("-m") ? 1 : 0;
        if (at >= arguments.size() || arguments.get(at).startsWith("-")) {
            return false;
        }
        String script = name(arguments.get(at));
        return SCRIPTS.contains(script)
                || (script.equals("conda") && arguments.contains("run"))
                || (script.equals("accelerate") && arguments.contains("launch"));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
