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

    /** sshd writes its title over its environment, but its configuration is the run's. */
    private static boolean isOfRun(Path process) {
        return ("\0" + ReadableFiles.text(process.resolve("environ"))).contains("\0" + RunMarker.VARIABLE + "=")
                || RunDirectory.isMentionedIn(ReadableFiles.text(process.resolve("cmdline")));
    }
}
