package dev.muster.runtime.ports;

import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.RunMarker;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A process that has a port. Its command line is not kept: it may hold secrets, and be another user's.
 *
 * @param name of its program, from the kernel; empty for another user's process, which can choose any name
 * @param user its user
 * @param isOurs whether its user is also this launcher's user
 * @param isOfRun whether a launcher of this user has started it, according to its environment or arguments
 */
record PortOwner(long pid, String name, String user, boolean isOurs, boolean isOfRun) {

    private static final Path PROC = Path.of("/proc");

    /** The process that has this TCP port, a listener first. Empty if it is not visible, such as another user's process. */
    static Optional<PortOwner> ofTcp(int port) {
        List<SocketTable.Socket> sockets = SocketTable.tcp().stream()
                .filter(socket -> socket.port() == port)
                .toList();
        Optional<PortOwner> listener = holder(inodes(sockets, true));
        return listener.isPresent() ? listener : holder(inodes(sockets, false));
    }

    /** The launcher that holds this lock of the port. */
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
        return sockets.stream()
                .filter(socket -> socket.listens() == listening)
                .map(socket -> "socket:[" + socket.inode() + "]")
                .collect(Collectors.toSet());
    }

    private static Optional<PortOwner> holder(Set<String> inodes) {
        if (inodes.isEmpty()) {
            return Optional.empty();
        }
        return ReadableFiles.entries(PROC, "[1-9]*").stream()
                .filter(process -> holds(process, inodes))
                .findFirst()
                .map(PortOwner::read);
    }

    private static boolean holds(Path process, Set<String> inodes) {
        return ReadableFiles.entries(process.resolve("fd"), "*").stream()
                .anyMatch(descriptor -> inodes.contains(ReadableFiles.target(descriptor)));
    }

    private static PortOwner read(Path process) {
        long pid = Long.parseLong(String.valueOf(process.getFileName()));
        Optional<String> user = user(ProcessHandle.of(pid));
        boolean isOurs = user.isPresent() && user.equals(user(Optional.of(ProcessHandle.current())));
        return new PortOwner(
                pid,
                isOurs ? ReadableFiles.text(process.resolve("comm")).strip() : "",
                user.orElse("unknown"),
                isOurs,
                isOurs && pid != ProcessHandle.current().pid() && isOfRun(process));
    }

    private static Optional<String> user(Optional<ProcessHandle> process) {
        return process.flatMap(found -> found.info().user());
    }

    /** The arguments count too: sshd overwrites its environment with its title, but names the run's configuration. */
    private static boolean isOfRun(Path process) {
        return ("\0" + ReadableFiles.text(process.resolve("environ"))).contains("\0" + RunMarker.VARIABLE + "=")
                || RunDirectory.isMentionedIn(ReadableFiles.text(process.resolve("cmdline")));
    }
}
