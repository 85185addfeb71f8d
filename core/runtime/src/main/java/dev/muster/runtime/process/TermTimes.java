package dev.muster.runtime.process;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Who has got TERM, and when: no shell of the warden may send it again, and the grace period counts from then. */
final class TermTimes {

    private final Map<ProcessId, Long> groups = new LinkedHashMap<>();
    private final Map<ProcessId, Long> processes = new LinkedHashMap<>();
    private final LongSupplier nanoClock;

    TermTimes(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Of groups, by their leaders. */
    Map<ProcessId, Long> ofGroups() {
        return groups;
    }

    /** Of processes that have got it for themselves. */
    Map<ProcessId, Long> ofProcesses() {
        return processes;
    }

    /**
     * Some have got a signal now. Who has got TERM twice has had it since the first time.
     *
     * @param times those of groups or of processes
     */
    void remember(String signal, Collection<ProcessId> signalled, Map<ProcessId, Long> times) {
        if (signal.equals("TERM")) {
            signalled.forEach(process -> times.putIfAbsent(process, nanoClock.getAsLong()));
        }
    }

    /** They have ended. */
    void forget(Collection<ProcessId> ended) {
        processes.keySet().removeAll(ended);
    }

    /** What they have had until now does not count. */
    void countAnew() {
        groups.replaceAll((group, when) -> nanoClock.getAsLong());
        processes.replaceAll((process, when) -> nanoClock.getAsLong());
    }

    /** What another shell is told. */
    List<String> orders() {
        return Stream.concat(orders("groups", groups).stream(), orders("processes", processes).stream())
                .toList();
    }

    private List<String> orders(String kind, Map<ProcessId, Long> times) {
        return times.entrySet().stream()
                .map(entry -> WardenOrders.warned(kind, entry.getKey(), nanoClock.getAsLong() - entry.getValue()))
                .toList();
    }
}
