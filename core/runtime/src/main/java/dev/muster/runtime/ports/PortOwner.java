package dev.muster.runtime.ports;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A process that has a port.
 *
 * @param command its arguments, secrets masked; empty where they cannot be read
 * @param ofMuster whether a launcher started it, as its environment or its arguments say
 */
record PortOwner(long pid, String command, boolean ofMuster) {

    private static final Path PROC = Path.of("/proc");
    private static final int SHOWN = 120;
    private static final Set<String> JVM_OPTIONS_WITH_A_WORD =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

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

    /** For a message: {@code pid 4711 (python3 -m http.server 6666)}. */
    String describe() {
        return "pid " + pid + (command.isEmpty() ? "" : " (" + command + ")");
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
        List<String> words = withoutJvmOptions(List.of(text(process, "cmdline").split("\0", 0)));
        String command = Printable.escape(String.join(" ", new Secrets(List.of()).show(words)));
        // sshd writes its title over its environment, but its configuration is the run's.
        boolean ofMuster = ("\0" + text(process, "environ")).contains("\0" + RunMarker.VARIABLE + "=")
                || words.stream().anyMatch(RunDirectory::isMentionedIn);
        return new PortOwner(
                Long.parseLong(String.valueOf(process.getFileName())),
                command.length() <= SHOWN ? command : command.substring(0, SHOWN) + "...",
                ofMuster);
    }

    /** Those of a launcher alone fill the line, and say nothing of its job. */
    static List<String> withoutJvmOptions(List<String> words) {
        if (words.isEmpty() || !words.get(0).endsWith("java")) {
            return words;
        }
        int main = 1;
        while (main < words.size() && words.get(main).startsWith("-")) {
            main += JVM_OPTIONS_WITH_A_WORD.contains(words.get(main)) ? 2 : 1;
        }
        List<String> shown = new ArrayList<>(words.subList(0, 1));
        shown.addAll(words.subList(Math.min(main, words.size()), words.size()));
        return shown;
    }

    private static String text(Path process, String file) {
        try {
            return new String(Files.readAllBytes(process.resolve(file)), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
