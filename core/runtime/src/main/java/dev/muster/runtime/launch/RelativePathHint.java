package dev.muster.runtime.launch;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.LaunchPlan;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A hint for the usual mistake: a path that is right for the caller, and wrong where the ranks run. */
final class RelativePathHint {

    private RelativePathHint() {}

    /** @param callersDirectory what the paths of the command are right for */
    static Optional<String> of(List<String> command, Path callersDirectory, LaunchPlan plan) {
        if (plan.processes().isEmpty()) {
            return Optional.empty();
        }
        Path work = Path.of(plan.processes().get(0).launch().workDirectory());
        return command.stream()
                .filter(argument -> existsOnlyForCaller(argument, callersDirectory, work))
                .findFirst()
                .map(argument -> "hint: " + Printable.quote(argument) + " exists in " + callersDirectory
                        + ", but the command runs in " + work + "; give an absolute path, or --workdir");
    }

    private static boolean existsOnlyForCaller(String argument, Path callersDirectory, Path work) {
        if (argument.isEmpty() || argument.startsWith("-") || argument.startsWith("/")) {
            return false;
        }
        try {
            return Files.isRegularFile(callersDirectory.resolve(argument)) && !Files.exists(work.resolve(argument));
        } catch (InvalidPathException noPath) {
            return false;
        }
    }
}
