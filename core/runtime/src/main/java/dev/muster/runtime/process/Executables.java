package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.text.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the program of a command as the process itself would. Tells why it cannot run before anything starts. */
public final class Executables {

    /** The search path of the C library when there is no PATH. */
    private static final String DEFAULT_PATH = "/bin:/usr/bin";

    private Executables() {}

    /**
     * The absolute path of a program.
     *
     * @param program a path, or a name to look up
     * @param searchPath the process's own PATH
     * @param directory where the process will run; relative paths start there
     * @throws MusterException 127: there is no such program; 126: it cannot be executed
     */
    public static Path resolve(String program, Optional<String> searchPath, Path directory) {
        if (program.isEmpty()) {
            throw notFound("the command is empty: give a program after --");
        }
        if (program.indexOf('/') >= 0) {
            // Only a leading "./" is removed. The kernel resolves "..", also behind a symbolic link.
            Path path = path(program.replaceFirst("^(\\./+)+", ""), directory);
            if (Files.notExists(path)) {
                throw notFound("command " + Printable.quote(program) + " not found"
                        + (program.startsWith("/") ? "" : " in " + directory) + hint(program, directory));
            }
            requireExecutable(program, path);
            return path;
        }
        return search(program, searchPath.orElse(DEFAULT_PATH), directory);
    }

    /**
     * The absolute path of a program, if it is installed.
     *
     * @param name without directory
     * @param alsoIn directories to look in after those of the search path
     */
    public static Optional<Path> find(String name, Optional<String> searchPath, List<String> alsoIn, Path directory) {
        List<String> places = new ArrayList<>(List.of(searchPath.orElse(DEFAULT_PATH)));
        places.addAll(alsoIn);
        return candidates(String.join(":", places), directory, name).stream()
                .filter(candidate -> Files.exists(candidate)
                        && ProgramFile.obstacle(candidate).isEmpty())
                .findFirst();
    }

    /** Whether a word of a command is the relative path of a file. */
    public static boolean namesFile(String word, Path directory) {
        return !word.isEmpty() && !word.startsWith("/") && !word.startsWith("-") && isFile(word, directory);
    }

    private static Path search(String program, String searchPath, Path directory) {
        List<Path> found = candidates(searchPath, directory, program).stream()
                .filter(Files::exists)
                .toList();
        Path chosen = found.stream()
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .or(() -> found.stream().findFirst())
                .orElseThrow(() -> notFound("command " + Printable.quote(program) + " not found in PATH="
                        + Printable.escape(searchPath) + hint(program, directory)));
        requireExecutable(program, chosen);
        return chosen;
    }

    private static List<Path> candidates(String searchPath, Path directory, String program) {
        List<Path> candidates = new ArrayList<>();
        for (String place : searchPath.split(":", -1)) {
            ReadableFiles.path(place)
                    .map(there -> path(program, directory.resolve(there)))
                    .ifPresent(candidates::add);
        }
        return candidates;
    }

    private static Path path(String program, Path directory) {
        return ReadableFiles.path(program)
                .map(directory::resolve)
                .orElseThrow(
                        () -> notFound(
                                "command " + Printable.quote(program)
                                        + " is not in the encoding of this locale. Set LC_ALL=C.UTF-8, or give the program another name"));
    }

    private static void requireExecutable(String program, Path path) {
        Optional<String> obstacle = ProgramFile.obstacle(path);
        if (obstacle.isPresent()) {
            String shown = program.equals(path.toString()) ? program : program + " (" + path + ")";
            throw new MusterException(
                    ExitCode.NOT_EXECUTABLE,
                    "command " + Printable.escape(shown) + " cannot be executed: " + obstacle.get());
        }
    }

    /** A hint for a word that would only work in a shell. */
    private static String hint(String program, Path directory) {
        if (program.matches("\\w+=.*")) {
            return ". Write variables before muster";
        }
        if (program.matches("[^\\s/]+\\s.*")) {
            return ". Write each word by itself, without quotes around all of them";
        }
        boolean isHere = isFile(program, directory);
        String start = program.endsWith(".py") ? "python3 " : "./";
        return isHere ? ". There is one in " + directory + ": write " + start + Printable.escape(program) : "";
    }

    private static boolean isFile(String name, Path directory) {
        return ReadableFiles.path(name)
                .map(directory::resolve)
                .filter(Files::isRegularFile)
                .isPresent();
    }

    private static MusterException notFound(String message) {
        return new MusterException(ExitCode.NOT_FOUND, message);
    }
}
