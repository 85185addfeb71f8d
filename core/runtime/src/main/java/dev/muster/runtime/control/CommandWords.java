package dev.muster.runtime.control;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.process.LauncherJvm;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The words of a launcher's command line, behind the program.
 *
 * @param isGuarded whether its parent is the shell that gets its signals
 */
record CommandWords(List<String> words, boolean isGuarded) {

    private static final String GUARDED = "-Dmuster.guard=";
    private static final String SCRIPT = "muster";
    private static final String GUARD = "guard.sh";

    /** Of a process that runs a job, or is about to; empty for all others. */
    static Optional<CommandWords> ofLauncher(List<String> arguments) {
        return of(arguments).filter(CommandWords::runsJob);
    }

    /** Whether a process is a {@code muster stop}, or is about to be one. */
    static boolean isStop(List<String> arguments) {
        return of(arguments)
                .flatMap(known -> known.words().stream().findFirst())
                .flatMap(Command::of)
                .filter(command -> command == Command.STOP)
                .isPresent();
    }

    static boolean isShell(List<String> arguments) {
        return !arguments.isEmpty() && lastPart(arguments.get(0)).equals("bash");
    }

    private static Optional<CommandWords> of(List<String> arguments) {
        if (arguments.isEmpty()) {
            return Optional.empty();
        }
        String program = lastPart(arguments.get(0));
        if (program.equals("java")) {
            return ofJava(arguments);
        }
        if (program.equals("bash")) {
            for (int index = 1; index < Math.min(3, arguments.size()); index++) {
                if (lastPart(arguments.get(index)).equals(GUARD)) {
                    return ofJava(arguments).map(words -> new CommandWords(words.words(), false));
                }
                if (lastPart(arguments.get(index)).equals(SCRIPT)) {
                    return Optional.of(new CommandWords(arguments.subList(index + 1, arguments.size()), false));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<CommandWords> ofJava(List<String> arguments) {
        OptionalInt start = LauncherJvm.words(arguments);
        if (start.isEmpty()) {
            return Optional.empty();
        }
        int begin = start.getAsInt();
        boolean isGuarded = arguments.subList(0, begin).stream().anyMatch(word -> word.startsWith(GUARDED));
        return Optional.of(new CommandWords(arguments.subList(begin, arguments.size()), isGuarded));
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private boolean runsJob() {
        if (words.isEmpty()) {
            return false;
        }
        Optional<Command> command =
                words.get(0).startsWith("-") ? Optional.of(Command.LAUNCH) : Command.of(words.get(0));
        boolean isRun = command.stream().anyMatch(word -> word == Command.LAUNCH || word == Command.SIMULATE);
        return isRun
                && options().stream()
                        .noneMatch(word -> word.equals(OptionTable.HELP.flag())
                                || word.equals(OptionTable.VERSION.flag())
                                || word.equals(OptionTable.DRY_RUN.flag()));
    }

    private List<String> options() {
        int end = words.indexOf("--");
        return end < 0 ? words : words.subList(0, end);
    }

    /** As it was given; no platform has been asked yet. */
    Optional<String> jobId() {
        String flag = OptionTable.JOB_ID.flag();
        List<String> options = options();
        for (int index = 0; index < options.size(); index++) {
            String word = options.get(index);
            if (word.equals(flag) && index + 1 < options.size()) {
                return Optional.of(options.get(index + 1));
            }
            if (word.startsWith(flag + "=")) {
                return Optional.of(word.substring(flag.length() + 1));
            }
        }
        return Optional.empty();
    }
}
