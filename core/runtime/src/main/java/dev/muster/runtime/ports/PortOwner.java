package dev.muster.runtime.ports;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.RunMarker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A process that has a port. Of its command line nothing is kept: it may hold secrets, and be another user's.
 *
 * @param name of its program, as the kernel keeps it; empty for another user's process, which can take any
 * @param user its user, by name where it has one
 * @param kind what it is as far as this launcher believes it: other users can give their processes any name and environment
 */
record PortOwner(long pid, String name, String user, Kind kind) {

    /** What has a port. */
    enum Kind {
        /** A launcher of this user's. */
        LAUNCHER,
        /** What a launcher of this user's has started, as its environment or its arguments say. */
        OF_MUSTER,
        OTHER
    }

    private static final Path PROC = Path.of("/proc");
    private static final Path OWN = PROC.resolve("self");
    private static final String LAUNCHER_CLASS = "dev.muster.Start";
    private static final Pattern JAR = Pattern.compile("(.*/)?muster[^/]*\\.jar");

    /** Who has this TCP port: a listener before anybody else. Empty where that cannot be seen, as with other users' processes. */
    static Optional<PortOwner> ofTcp(int port) {
        List<SocketTable.Socket> sockets = SocketTable.tcp().stream()
                .filter(socket -> socket.port() == port)
                .toList();
        Optional<PortOwner> listener = holder(inodes(sockets, true));
        return listener.isPresent() ? listener : holder(inodes(sockets, false));
    }

    /** Which launcher says that its processes use this port. */
    static Optional<PortOwner> ofLock(PortLock.Word word, int port) {
        return holder(inodes(
                SocketTable.udp().stream()
                        .filter(socket ->
                                socket.port() == port && socket.address().equals(word.inProc()))
                        .toList(),
                false));
    }

    /** For a message: {@code pid 4711 (python3) of user root}. */
    String describe() {
        return "pid " + pid + (name.isEmpty() ? "" : " (" + name + ")") + " of user " + user;
    }

    private static Set<String> inodes(List<SocketTable.Socket> sockets, boolean listening) {
        Set<String> inodes = new HashSet<>();
        for (SocketTable.Socket socket : sockets) {
            if (socket.listens() == listening) {
                inodes.add("socket:[" + socket.inode() + "]");
            }
        }
        return inodes;
    }

    private static Optional<PortOwner> holder(Set<String> inodes) {
        if (inodes.isEmpty()) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                if (holds(process, inodes)) {
                    return Optional.of(read(process));
                }
            }
        } catch (IOException | DirectoryIteratorException noProc) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean holds(Path process, Set<String> inodes) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (inodes.contains(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            // Another user's process, or one that has ended.
        }
        return false;
    }

    private static PortOwner read(Path process) {
        long pid = Long.parseLong(String.valueOf(process.getFileName()));
        Optional<String> uid = uid(process);
        boolean isOurs = uid.isPresent() && uid.equals(uid(OWN));
        return new PortOwner(
                pid,
                isOurs ? text(process, "comm").strip() : "",
                user(process, uid),
                isOurs ? kind(process, pid) : Kind.OTHER);
    }

    private static Kind kind(Path process, long pid) {
        List<String> words = List.of(text(process, "cmdline").split("\0", 0));
        if (pid == ProcessHandle.current().pid() || isLauncher(words)) {
            return Kind.LAUNCHER;
        }
        // sshd writes its title over its environment, but its configuration is the run's.
        boolean isOfMuster = ("\0" + text(process, "environ")).contains("\0" + RunMarker.VARIABLE + "=")
                || words.stream().anyMatch(RunDirectory::isMentionedIn);
        return isOfMuster ? Kind.OF_MUSTER : Kind.OTHER;
    }

    static boolean isLauncher(List<String> command) {
        return command.get(0).endsWith("java") && command.stream().anyMatch(PortOwner::isOfLauncher);
    }

    private static boolean isOfLauncher(String word) {
        return word.equals(LAUNCHER_CLASS) || JAR.matcher(word).matches();
    }

    /** The entry in {@code /proc} of a process that hides its memory belongs to root; this says whose it is all the same. */
    private static Optional<String> uid(Path process) {
        return text(process, "status")
                .lines()
                .filter(line -> line.startsWith("Uid:"))
                .map(line -> line.split("\\s+", 3)[1])
                .findFirst();
    }

    private static String user(Path process, Optional<String> uid) {
        try {
            String owner = String.valueOf(Files.getAttribute(process, "unix:uid"));
            if (uid.isEmpty() || uid.get().equals(owner)) {
                return Files.getOwner(process).getName();
            }
        } catch (IOException ended) {
            // Its number will do.
        }
        return uid.orElse("unknown");
    }

    private static String text(Path process, String file) {
        try {
            return new String(Files.readAllBytes(process.resolve(file)), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
