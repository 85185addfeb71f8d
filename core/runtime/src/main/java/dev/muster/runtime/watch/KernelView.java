package dev.muster.runtime.watch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a process stands, as the kernel says it: for those whose own stack cannot be seen.
 *
 * @param snapshot of the moment
 * @param architecture of this machine
 */
record KernelView(ProcessSnapshot snapshot, String architecture) {

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";
    private static final String SOCKET = "socket:[";
    private static final int MOST_PEERS = 8;

    /** Such as {@code flock}; {@code running} where it is in no system call. */
    String call(long pid) {
        String[] fields = snapshot.text(pid, "syscall").strip().split(" ", -1);
        if (fields[0].matches("[0-9]+")) {
            return SystemCalls.name(fields[0], architecture);
        }
        String channel = snapshot.text(pid, "wchan").strip();
        return fields[0].equals("running")
                ? fields[0]
                : channel.isEmpty() || channel.equals("0") ? state(pid) : channel;
    }

    private String state(long pid) {
        return "state " + snapshot.find(pid).map(KernelProcess::state).orElse('?');
    }

    /** Such as {@code flock, state S, wchan locks_lock_inode_wait, connected to 10.0.0.2:29500}. */
    String words(long pid) {
        StringBuilder words = new StringBuilder(call(pid)).append(", ").append(state(pid));
        String channel = snapshot.text(pid, "wchan").strip();
        if (!channel.isEmpty() && !channel.equals("0")) {
            words.append(", wchan ").append(channel);
        }
        List<String> peers = List.copyOf(peers(pid));
        if (!peers.isEmpty()) {
            words.append(", connected to ")
                    .append(String.join(", ", peers.subList(0, Math.min(MOST_PEERS, peers.size()))));
        }
        return words.toString();
    }

    /** The other ends of its connections. */
    private Set<String> peers(long pid) {
        Set<String> sockets = sockets(pid);
        Set<String> peers = new TreeSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            if (!sockets.isEmpty()) {
                snapshot.text(pid, table).lines().skip(1).forEach(row -> {
                    String[] fields = row.strip().split(" +", INODE + 2);
                    if (fields.length > INODE && fields[STATE].equals(ESTABLISHED) && sockets.contains(fields[INODE])) {
                        peers.add(address(fields[REMOTE]));
                    }
                });
            }
        }
        return peers;
    }

    private Set<String> sockets(long pid) {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(snapshot.proc().resolve(pid + "/fd"))) {
            for (Path file : files) {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith(SOCKET)) {
                    inodes.add(target.substring(SOCKET.length(), target.length() - 1));
                }
            }
        } catch (IOException | DirectoryIteratorException goneOrRefused) {
            return inodes;
        }
        return inodes;
    }

    /** The kernel writes words of 32 bits, each in the order of the machine. */
    private static String address(String field) {
        int colon = field.indexOf(':');
        byte[] bytes = HexFormat.of().parseHex(field.substring(0, colon));
        ByteBuffer words = ByteBuffer.allocate(bytes.length);
        for (int at = 0; at < bytes.length; at += Integer.BYTES) {
            words.putInt(ByteBuffer.wrap(bytes, at, Integer.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .getInt());
        }
        try {
            return InetAddress.getByAddress(words.array()).getHostAddress() + ":"
                    + Integer.parseInt(field.substring(colon + 1), 16);
        } catch (UnknownHostException otherLength) {
            return field;
        }
    }
}
