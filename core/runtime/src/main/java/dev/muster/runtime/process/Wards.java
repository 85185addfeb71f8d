package dev.muster.runtime.process;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who is in the warden's care, for a shell that comes in the place of another one. Not for several threads. */
final class Wards {

    private final Map<Long, ProcessId> leaders = new LinkedHashMap<>();
    private final Set<ProcessId> others = new LinkedHashSet<>();
    private final Set<ProcessId> forerunners = new LinkedHashSet<>();

    /** Adds who leads a group and session. False when it was there. */
    boolean addLeader(ProcessId leader) {
        return !leader.equals(leaders.put(leader.pid(), leader));
    }

    /** Adds others, and returns those that were not there. */
    List<ProcessId> add(Collection<ProcessId> processes) {
        return processes.stream().filter(others::add).toList();
    }

    /** Adds who is told to end before all others. */
    void addForerunners(List<ProcessId> processes) {
        forerunners.addAll(processes);
    }

    /** Removes all but leaders, and returns those that were there. */
    List<ProcessId> remove(Collection<ProcessId> processes) {
        List<ProcessId> removed = processes.stream().filter(others::remove).toList();
        forerunners.removeAll(removed);
        return removed;
    }

    /** Tells a shell of all of them. */
    List<String> orders() {
        List<String> orders = new ArrayList<>();
        leaders.values().forEach(leader -> orders.add(WardenOrders.adopt(leader)));
        WardenOrders.parts(others).forEach(some -> orders.add(WardenOrders.about("know", some)));
        WardenOrders.parts(forerunners).forEach(some -> orders.add(WardenOrders.about("first", some)));
        return orders;
    }
}
