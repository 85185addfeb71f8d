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
 * Finds the launchers of this PID namespace that this user may ask: the user's own, or for root those of all users.
 *
 * @param root the root of the machine's file system
 * @param namespace the PID namespace of this process
 */
public record LauncherFinder(Path root, String namespace) {

    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})-.*\\.sock");
    private static final String DIRECTORY = "muster";
    private static final Path SELF = Path.of("/proc/self/fd");

    /** For the machine on which this command runs. */
    public static LauncherFinder here() {
        return new LauncherFinder(Path.of("/"), RunningLauncher.Identity.ownNamespace());
    }

    /**
     * Finds the launchers. A launcher of another container, whose socket lies in the same volume, has another namespace and is left out. A
     * launcher that does not answer is listed if it is this user's and a process with its pid lives.
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
        found.forEach(launcher -> launcher.client().send("who"));
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

    /** @param user the required owner of the directory: in a shared place any user can make one with this name */
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
            // The launcher has just ended, or was killed together with its supervisor and left the socket.
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
