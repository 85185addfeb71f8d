package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The system's own names of what this process has open. They lead to what was opened, whatever has its name by now. */
public final class Descriptors {

    /** The directory with the names of all; none where the system has no such names. */
    public static final Path ALL = Path.of("/proc/self/fd");

    /** What was opened last is most often near what was looked for last: of a thousand files none is looked for among all. */
    private static final int NEAR = 16;

    private static final AtomicInteger LAST = new AtomicInteger();

    private Descriptors() {}

    /** Its name, whether it is open or not. */
    public static Path of(int descriptor) {
        return ALL.resolve(Integer.toString(descriptor));
    }

    /** What is wanted. */
    interface Wanted {

        /** @throws IOException it was closed meanwhile */
        boolean is(Path descriptor) throws IOException;
    }

    /** A descriptor that is wanted, for as long as it is open. */
    static Optional<Path> find(Wanted wanted) {
        int last = LAST.get();
        for (int number = Math.max(0, last - NEAR); number < last + NEAR; number++) {
            Path descriptor = of(number);
            if (isWanted(wanted, descriptor)) {
                LAST.set(number);
                return Optional.of(descriptor);
            }
        }
        return findAmongAll(wanted);
    }

    private static Optional<Path> findAmongAll(Wanted wanted) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(ALL)) {
            for (Path descriptor : descriptors) {
                if (isWanted(wanted, descriptor)) {
                    LAST.set(Integer.parseInt(String.valueOf(descriptor.getFileName())));
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
