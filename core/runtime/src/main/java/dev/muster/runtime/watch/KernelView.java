package dev.muster.runtime.watch;

import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.text.TextResource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a process stands, according to the kernel. It is for processes whose own stack cannot be read. */
final class KernelView {

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";
    private static final int MOST_PEERS = 8;
    private static final List<String> CALLS = TextResource.lines(KernelView.class, "system-calls.txt");

    /** System calls of a process that waits for others. */
    private static final Set<String> WAITING =
            Set.of("poll", "ppoll", "select", "pselect6", "recvfrom", "recvmsg", "futex", "epoll_wait", "epoll_pwait");

    private KernelView() {}

    static boolean isWaiting(String call) {
        return WAITING.contains(call);
    }

    /** The system call, such as {@code flock}; {@code running} if it is in none. */
    static String call(long pid) {
        String first = ProcessSnapshot.text(pid, "syscall").strip().split(" ", -1)[0];
        if (first.matches("[0-9]+")) {
            String key = ProcessInfo.architecture() + " " + first + " ";
            return CALLS.stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()))
                    .findFirst()
                    .orElse("system call " + first);
        }
        String channel = channel(pid);
        return first.equals("running") ? first : channel.isEmpty() ? state(pid) : channel;
    }

    /** The kernel function in which it waits; empty: none. */
    private static String channel(long pid) {
        String channel = ProcessSnapshot.text(pid, "wchan").strip();
        return channel.equals("0") ? "" : channel;
    }

    private static String state(long pid) {
        String state = ReadableFiles.field(ProcessSnapshot.text(pid, "status"), "State:");
        return "state " + (state.isEmpty() ? '?' : state.charAt(0));
    }

    /** For example {@code flock, state S, wchan locks_lock_inode_wait, connected to 10.0.0.2:29500}. */
    static String words(long pid) {
        String channel = channel(pid);
        List<String> peers = peers(pid);
        return call(pid) + ", " + state(pid)
                + (channel.isEmpty() ? "" : ", wchan " + channel)
                + (peers.isEmpty() ? "" : ", connected to " + String.join(", ", peers));
    }

    /** The peers of its TCP connections. */
    private static List<String> peers(long pid) {
        Set<String> descriptors = ReadableFiles.entries(ProcessSnapshot.path(pid, "fd"), "*").stream()
                .map(ReadableFiles::target)
                .collect(Collectors.toSet());
        return Stream.of("net/tcp", "net/tcp6")
                .flatMap(table -> ProcessSnapshot.text(pid, table).lines())
                .filter(row -> row.contains(" " + ESTABLISHED + " "))
                .map(row -> row.strip().split(" +", INODE + 2))
                .filter(row -> row[STATE].equals(ESTABLISHED) && descriptors.contains("socket:[" + row[INODE] + "]"))
                .map(row -> address(row[REMOTE]))
                .distinct()
                .sorted()
                .limit(MOST_PEERS)
                .toList();
    }

    /** The kernel writes 32-bit words, each in the machine's byte order. */
    private static String address(String field) {
        int colon = field.indexOf(':');
        ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(field.substring(0, colon)))
                .order(ByteOrder.nativeOrder());
        ByteBuffer bytes = ByteBuffer.allocate(words.capacity());
        while (words.hasRemaining()) {
            bytes.putInt(words.getInt());
        }
        try {
            return InetAddress.getByAddress(bytes.array()).getHostAddress() + ":"
                    + Integer.parseInt(field.substring(colon + 1), 16);
        } catch (UnknownHostException otherLength) {
            return field;
        }
    }
}
