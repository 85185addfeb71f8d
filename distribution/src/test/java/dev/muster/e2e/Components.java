package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** What some tests need of the machine. Where it is missing they do not run; in CI, where it must not be missing, they fail. */
final class Components {

    private static final Path SELF = Path.of("/proc/self");

    private Components() {}

    /** Demands programs. */
    static void require(String... programs) {
        for (String program : programs) {
            demand(isInstalled(program), program + " is not installed");
        }
    }

    /** Demands the rights to make namespaces and to change users. */
    static void requireRoot() {
        demand(isRoot(), "this test needs root");
    }

    static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean isInstalled(String program) {
        for (String directory : Invocation.PATH.split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    private static void demand(boolean there, String problem) {
        if (!there && "true".equals(System.getenv("CI"))) {
            throw new AssertionError(problem);
        }
        Assumptions.assumeTrue(there, problem);
    }
}
