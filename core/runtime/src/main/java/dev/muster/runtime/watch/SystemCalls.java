package dev.muster.runtime.watch;

import java.util.Map;
import java.util.Set;

/** Names of the system calls in which processes wait, by their number and the machine's architecture. */
final class SystemCalls {

    private static final Map<String, String> X86_64 = Map.ofEntries(
            Map.entry("0", "read"),
            Map.entry("1", "write"),
            Map.entry("7", "poll"),
            Map.entry("23", "select"),
            Map.entry("35", "nanosleep"),
            Map.entry("42", "connect"),
            Map.entry("43", "accept"),
            Map.entry("45", "recvfrom"),
            Map.entry("47", "recvmsg"),
            Map.entry("61", "wait4"),
            Map.entry("72", "fcntl"),
            Map.entry("73", "flock"),
            Map.entry("202", "futex"),
            Map.entry("230", "clock_nanosleep"),
            Map.entry("232", "epoll_wait"),
            Map.entry("257", "openat"),
            Map.entry("270", "pselect6"),
            Map.entry("271", "ppoll"),
            Map.entry("281", "epoll_pwait"));

    private static final Map<String, String> AARCH64 = Map.ofEntries(
            Map.entry("22", "epoll_pwait"),
            Map.entry("25", "fcntl"),
            Map.entry("32", "flock"),
            Map.entry("56", "openat"),
            Map.entry("63", "read"),
            Map.entry("64", "write"),
            Map.entry("72", "pselect6"),
            Map.entry("73", "ppoll"),
            Map.entry("98", "futex"),
            Map.entry("101", "nanosleep"),
            Map.entry("115", "clock_nanosleep"),
            Map.entry("202", "accept"),
            Map.entry("203", "connect"),
            Map.entry("207", "recvfrom"),
            Map.entry("212", "recvmsg"),
            Map.entry("260", "wait4"));

    /** What a process calls that waits for others: as all that wait for one do. */
    private static final Set<String> WAITING =
            Set.of("poll", "ppoll", "select", "pselect6", "recvfrom", "recvmsg", "futex", "epoll_wait", "epoll_pwait");

    private SystemCalls() {}

    /** The number where no name is known. */
    static String name(String number, String architecture) {
        Map<String, String> names = architecture.equals("aarch64") ? AARCH64 : X86_64;
        return names.getOrDefault(number, "system call " + number);
    }

    static boolean isWaiting(String name) {
        return WAITING.contains(name);
    }
}
