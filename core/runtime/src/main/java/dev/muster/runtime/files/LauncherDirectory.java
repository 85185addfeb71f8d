package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The directory for the sockets and locks of all launchers of a user. Only that user and root can enter it. */
public final class LauncherDirectory {

    private static final List<String> PLACES =
            List.of("/run/user/UID/muster", "/dev/shm/muster-UID", "/tmp/muster-UID");
    private static final int ALL_BUT_OWNER = 0077;

    private LauncherDirectory() {}

    /** Finds or makes the directory in the first writable place; empty: there is none. */
    public static Optional<Path> make() {
        try {
            int user = Trust.ownUid();
            return PLACES.stream()
                    .map(place -> Path.of(place.replace("UID", Integer.toString(user))))
                    .filter(directory -> isMade(directory, user))
                    .findFirst();
        } catch (IOException unknownUser) {
            return Optional.empty();
        }
    }

    private static boolean isMade(Path directory, int user) {
        try {
            makeOne(directory);
            FileStatus found = FileStatus.of(directory, LinkOption.NOFOLLOW_LINKS);
            boolean isClosed = (found.mode() & ALL_BUT_OWNER) == 0;
            return found.isDirectory() && found.uid() == user && isClosed && Files.isWritable(directory);
        } catch (IOException noSuchPlace) {
            return false;
        }
    }

    private static void makeOne(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, Modes.PRIVATE_DIRECTORY);
        } catch (FileAlreadyExistsException byAnotherLauncher) {
            // The caller checks its owner and mode.
            return;
        }
    }
}
