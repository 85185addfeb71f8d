package dev.muster.runtime.supervise;

import dev.muster.runtime.process.PythonCommand;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Knows commands that only wait for others: these get SIGTERM together with them. */
final class WrapperCommands {

    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh", "ash");

    /** Programs that run another one as a child. */
    private static final Set<String> RUNNERS = Set.of("time", "unshare", "accelerate-launch");

    private static final Set<String> SCRIPTS = Set.of("accelerate.commands.launch", "accelerate-launch");

    /** What a shell is told to do, whose last command it becomes. With quotes or brackets before it that is not clear. */
    private static final Pattern EXEC = Pattern.compile(
            "(?:[^'\"(){}`]*(?:[;&\\n]|\\|\\|))?\\s*exec\\s+([^|;&\\n(){}`]*(?:(?:>&|&>)[^|;&\\n(){}`]*)*)\\s*");

    private WrapperCommands() {}

    /** What the supervisor is told of a command. Many shells become a last command by themselves, and have its name then. */
    static String nameIn(List<String> command) {
        String program = name(command.get(0));
        return !contain(command) ? "" : SHELLS.contains(program) ? program : "*";
    }

    /** Whether a command is such a one. Those that become what they start, as env and nice do, stand aside. */
    static boolean contain(List<String> command) {
        String program = name(command.get(0));
        List<String> arguments = command.subList(1, command.size());
        return switch (program) {
            case "conda", "mamba", "micromamba" -> arguments.contains("run");
            case "accelerate" -> arguments.contains("launch");
            case "env", "nice", "nohup", "stdbuf", "numactl", "taskset" -> isFollowedByOne(arguments);
            case "python", "python3" -> isScript(arguments);
            default -> RUNNERS.contains(program) || (SHELLS.contains(program) && isWaiting(arguments));
        };
    }

    /** Whether a shell with these arguments waits for a command, or becomes one that does. */
    private static boolean isWaiting(List<String> arguments) {
        boolean hasText = arguments.size() > 1 && arguments.get(0).matches("-[a-zA-Z]*c");
        Matcher text = EXEC.matcher(hasText ? arguments.get(1) : "");
        return !text.matches() || contain(List.of(text.group(1).split("\\s+")));
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
        List<String> words = PythonCommand.script(arguments);
        String script = words.isEmpty() ? "" : name(words.get(0));
        return SCRIPTS.contains(script)
                || (script.equals("conda") && arguments.contains("run"))
                || (script.equals("accelerate") && arguments.contains("launch"));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
