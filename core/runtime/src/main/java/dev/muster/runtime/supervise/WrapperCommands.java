package dev.muster.runtime.supervise;

import dev.muster.runtime.process.PythonCommand;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognises wrappers: commands that only wait for a child, such as a shell. They get SIGTERM together with the child. */
final class WrapperCommands {

    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh", "ash");

    /** Programs that run another one as a child. */
    private static final Set<String> RUNNERS = Set.of("time", "unshare", "accelerate-launch");

    private static final Set<String> SCRIPTS = Set.of("accelerate.commands.launch", "accelerate-launch");

    /** A text for {@code sh -c} that ends with exec and a command. One with quotes or brackets before it is unclear: no match. */
    private static final Pattern EXEC = Pattern.compile(
            "(?:[^'\"(){}`]*(?:[;&\\n]|\\|\\|))?\\s*exec\\s+([^|;&\\n(){}`]*(?:(?:>&|&>)[^|;&\\n(){}`]*)*)\\s*");

    private WrapperCommands() {}

    /** The shell's name, {@code *} for other wrappers, empty for none. A shell that becomes its last command loses this name. */
    static String nameIn(List<String> command) {
        String program = name(command.get(0));
        return !contain(command) ? "" : SHELLS.contains(program) ? program : "*";
    }

    /** Whether a command is a wrapper. Commands that become what they start, such as env and nice, do not count themselves. */
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

    /** Whether a shell with these arguments waits for a command, or becomes a wrapper. */
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
            // A word after an option may be the option's value.
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
