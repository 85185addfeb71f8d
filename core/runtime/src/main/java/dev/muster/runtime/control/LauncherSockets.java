package dev.muster.runtime.control;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the sockets of launchers that this user may ask: of its own, and for root those of all users.
 *
 * @param root where the machine's files are
 * @param own this launcher's pid
 */
record LauncherSockets(Path root, long own) {

    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-.*\\.sock");
    private static final String DIRECTORY = "muster";

    /**
     * The socket of a launcher.
     *
     * @param pid of the launcher's supervisor, as its name says
     * @param user by number
     */
    record LauncherSocket(Path path, long pid, long user) {}

    List<LauncherSocket> find() {
        List<LauncherSocket> found = new ArrayList<>();
        for (Path user : entries(root.resolve("run/user"), "[0-9]*")) {
            find(user.resolve(DIRECTORY), name(user), found);
        }
        for (String parent : List.of("dev/shm", "tmp")) {
            for (Path directory : entries(root.resolve(parent), DIRECTORY + "-[0-9]*")) {
                find(directory, name(directory).substring(DIRECTORY.length() + 1), found);
            }
        }
        return found;
    }

    /** @param user whose directory it must be: in a shared place anybody can make one of this name */
    private void find(Path directory, String user, List<LauncherSocket> found) {
        if (!owner(directory).filter(user::equals).isPresent()) {
            return;
        }
        for (Path socket : entries(directory, "*.sock")) {
            Matcher name = NAME.matcher(name(socket));
            if (name.matches()) {
                long pid = Long.parseLong(name.group(1));
                if (pid != own && isOfThisNamespace(pid)) {
                    found.add(new LauncherSocket(socket, pid, Long.parseLong(user)));
                }
            }
        }
    }

    /** A launcher in another container may have its socket in the same volume; its pid means nothing here. */
    private boolean isOfThisNamespace(long pid) {
        Path process = root.resolve("proc").resolve(Long.toString(pid));
        if (!Files.isDirectory(root.resolve("proc/self"))) {
            return true;
        }
        Optional<Path> theirs = namespace(process);
        return Files.isDirectory(process) && (theirs.isEmpty() || theirs.equals(namespace(root.resolve("proc/self"))));
    }

    private static Optional<Path> namespace(Path process) {
        try {
            return Optional.of(Files.readSymbolicLink(process.resolve("ns/pid")));
        } catch (IOException notToBeSeen) {
            return Optional.empty();
        }
    }

    private static Optional<String> owner(Path directory) {
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(String.valueOf(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)))
                    : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Another user's directory cannot be read, and has nothing for this one. */
    private static List<Path> entries(Path directory, String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException unreadable) {
            return found;
        }
        return found;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
