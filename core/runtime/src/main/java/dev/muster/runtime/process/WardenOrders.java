package dev.muster.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The orders to the warden's shell in words, as the head of {@code warden/orders.sh} has them; {@link WardenShell} numbers them. */
final class WardenOrders {

    static final String PING = "ping";
    static final String QUIT = "quit";

    /** Processes in one order: a line of less than 4 KiB. */
    private static final int AT_ONCE = 100;

    private static final long TICK_NANOS = WardenSettings.TICK.toNanos();

    private WardenOrders() {}

    static String adopt(ProcessId leader) {
        return "adopt " + leader.pid() + " " + leader.start();
    }

    static String grace(Duration length) {
        return "grace " + WardenSettings.ticks(length);
    }

    /** @param verb with a signal, where it has one */
    static String about(String verb, List<ProcessId> processes) {
        StringBuilder words = new StringBuilder(verb);
        processes.forEach(process -> words.append(' ').append(process));
        return words.toString();
    }

    /** An order for each of some processes. */
    static List<String> each(String verb, List<ProcessId> processes) {
        return processes.stream().map(process -> about(verb, List.of(process))).toList();
    }

    /**
     * A process has got TERM already.
     *
     * @param kind whether it leads a group of ours, as {@code "groups"}, or stands for itself, as {@code "processes"}
     */
    static String warned(String kind, ProcessId process, long nanosAgo) {
        return "warned " + kind + " " + process + ":" + Math.max(0, nanosAgo) / TICK_NANOS;
    }

    /** The same of some that have got it now. */
    static String warned(String kind, List<ProcessId> processes) {
        StringBuilder words = new StringBuilder("warned " + kind);
        processes.forEach(process -> words.append(' ').append(process).append(":0"));
        return words.toString();
    }

    /** As many at once as one order may have. */
    static List<List<ProcessId>> parts(Collection<ProcessId> all) {
        List<ProcessId> list = List.copyOf(all);
        List<List<ProcessId>> parts = new ArrayList<>();
        for (int begin = 0; begin < list.size(); begin += AT_ONCE) {
            parts.add(list.subList(begin, Math.min(begin + AT_ONCE, list.size())));
        }
        return parts;
    }
}
