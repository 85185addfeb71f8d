package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks for the lock of a warden. It is one that a shell can take, with the program {@code flock}; Java takes others, which do not see
 * these. Unlike a number of a process it tells something in another container, too.
 */
public final class FileLocks {

    private static final List<String> PLACES = List.of("/usr/bin/flock", "/bin/flock");
    private static final int HELD = 1;
    private static final long LIMIT_SECONDS = 5;

    private FileLocks() {}

    /** Whether somebody holds the lock of a file; empty when nobody can tell. */
    public static Optional<Boolean> isHeld(Path file) {
        Optional<String> flock = flock();
        return flock.isPresent() && Files.exists(file)
                ? ask(List.of(flock.get(), "-n", file.toString(), "true"))
                : Optional.empty();
    }

    /** Whether there is the program that takes such locks. */
    public static boolean canBeAsked() {
        return flock().isPresent();
    }

    private static Optional<String> flock() {
        return PLACES.stream()
                .filter(place -> Files.isExecutable(Path.of(place)))
                .findFirst();
    }

    private static Optional<Boolean> ask(List<String> command) {
        try {
            Process question = Spawning.of(new ProcessBuilder(command)
                    .redirectInput(StandardInput.NOTHING)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD));
            if (!question.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                question.destroyForcibly();
                return Optional.empty();
            }
            int code = question.exitValue();
            return code == 0 || code == HELD ? Optional.of(code == HELD) : Optional.empty();
        } catch (IOException refused) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
