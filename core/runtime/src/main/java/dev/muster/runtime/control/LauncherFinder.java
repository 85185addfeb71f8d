package dev.muster.runtime.control;

import dev.muster.runtime.files.ReadableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the launchers of this PID namespace that this user may ask: its own, and for root those of all users.
 *
 * @param root where the machine's files are
 * @param namespace of this process's pids
 */
public record LauncherFinder(Path root, String namespace) {

    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-.*\\.sock");
    private static final String DIRECTORY = "muster";
    private static final Path SELF = Path.of("/proc/self/fd");

    /** Looks where this command runs. */
    public static LauncherFinder here() {
        return new LauncherFinder(Path.of("/"), RunningLauncher.Identity.ownNamespace());
    }

    /**
     * Launchers of another container, whose socket lies in the same volume, have another namespace. One that does not answer is shown
     * where a process of its number lives, but not what another user has put there.
     */
    List<RunningLauncher> find() {
        List<RunningLauncher> found = new ArrayList<>();
        for (Path user : ReadableFiles.entries(root.resolve("run/user"), "[0-9]*")) {
            connect(user.resolve(DIRECTORY), name(user), found);
        }
        for (String parent : List.of("dev/shm", "tmp")) {
            for (Path directory : ReadableFiles.entries(root.resolve(parent), DIRECTORY + "-[0-9]*")) {
                connect(directory, name(directory).substring(DIRECTORY.length() + 1), found);
            }
        }
        found.forEach(launcher -> launcher.client().ask("who"));
        return found.stream()
                .map(RunningLauncher::identified)
                .filter(this::isOurs)
                .toList();
    }

    private boolean isOurs(RunningLauncher launcher) {
        return launcher.identity()
                .map(identity -> identity.namespace().equals(namespace))
                .orElseGet(() -> launcher.user().isCaller()
                        && ProcessHandle.of(launcher.pid()).isPresent());
    }

    /** @param user whose directory it must be: in a shared place anybody can make one of this name */
    private void connect(Path directory, String user, List<RunningLauncher> found) {
        if (!isOwnedBy(directory, user)) {
            return;
        }
        for (Path socket : ReadableFiles.entries(directory, "*.sock")) {
            Matcher name = NAME.matcher(name(socket));
            if (name.matches()) {
                connect(socket, Long.parseLong(name.group(1)), user, found);
            }
        }
    }

    private static void connect(Path socket, long pid, String user, List<RunningLauncher> found) {
        try {
            String name = Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS).getName();
            RunningLauncher.User owner = new RunningLauncher.User(Long.parseLong(user), name, isOwnedBy(SELF, user));
            found.add(new RunningLauncher(ControlClient.connect(socket), pid, owner, Optional.empty()));
        } catch (IOException ended) {
            // It has just removed its socket, or was killed with its supervisor and has left it.
        }
    }

    private static boolean isOwnedBy(Path directory, String user) {
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && user.equals(
                            String.valueOf(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
        } catch (IOException gone) {
            return false;
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
