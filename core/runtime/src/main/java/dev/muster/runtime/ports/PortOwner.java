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

/**
 * A process that has a port. Of its command line nothing is kept: it may hold secrets, and be another user's.
 *
 * @param name of its program, as the kernel keeps it; empty for another user's process, which can take any
 * @param user its user
 * @param isOurs whether that is this launcher's user
 * @param isOfRun whether a launcher of this user's has started it, as its environment or its arguments say
 */
record PortOwner(long pid, String name, String user, boolean isOurs, boolean isOfRun) {

    private static final Path PROC = Path.of("/proc");

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
        Optional<String> user = user(ProcessHandle.of(pid));
        boolean isOurs = user.isPresent() && user.equals(user(Optional.of(ProcessHandle.current())));
        return new PortOwner(
                pid,
                isOurs ? text(process, "comm").strip() : "",
                user.orElse("unknown"),
                isOurs,
                isOurs && pid != ProcessHandle.current().pid() && isOfRun(process));
    }

    private static Optional<String> user(Optional<ProcessHandle> process) {
        return process.flatMap(found -> found.info().user());
    }

    /** sshd writes its title over its environment, but its configuration is the run's. */
    private static boolean isOfRun(Path process) {
        return ("\0" + text(process, "environ")).contains("\0" + RunMarker.VARIABLE + "=")
                || RunDirectory.isMentionedIn(text(process, "cmdline"));
    }

    private static String text(Path process, String file) {
        try {
            return new String(Files.readAllBytes(process.resolve(file)), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
