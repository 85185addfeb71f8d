package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The system's own names of what this process has open. They lead to what was opened, whatever has its name by now. */
public final class Descriptors {

    /** The directory with the names of all; none where the system has no such names. */
    public static final Path ALL = Path.of("/proc/self/fd");

    private Descriptors() {}

    /** Its name, whether it is open or not. */
    public static Path of(int descriptor) {
        return ALL.resolve(Integer.toString(descriptor));
    }

    /** What is wanted. */
    public interface Wanted {

        /** @throws IOException it was closed meanwhile */
        boolean is(Path descriptor) throws IOException;
    }

    /** A descriptor that is wanted, for as long as it is open. */
    public static Optional<Path> find(Wanted wanted) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(ALL)) {
            for (Path descriptor : descriptors) {
                if (isWanted(wanted, descriptor)) {
                    return Optional.of(descriptor);
                }
            }
        } catch (IOException | DirectoryIteratorException noProc) {
            // Then nobody can tell.
        }
        return Optional.empty();
    }

    private static boolean isWanted(Wanted wanted, Path descriptor) {
        try {
            return wanted.is(descriptor);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
