package dev.muster.runtime.process;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What the launcher can signal itself, when there is no shell to do it: better than nothing, for Java has TERM and KILL alone, and
 * a process that is started meanwhile is missed.
 */
final class OwnSignals {

    private OwnSignals() {}

    /** Sends a signal to some processes, or to what they lead. */
    interface Sending {
        void send(String signal, Collection<ProcessId> processes);
    }

    /**
     * @param leaders who have not ended, as far as is known here
     * @param guard signals the groups where no file can be opened, and so nobody can be looked at
     */
    static void toGroups(String signal, Collection<ProcessId> leaders, Guard guard) {
        ProcFiles.All all = ProcFiles.all();
        if (!all.isWhole()) {
            guard.signalsGroups(signal, leaders);
            return;
        }
        Set<Long> groups = new HashSet<>();
        for (ProcessId leader : leaders) {
            if (ProcessTable.isThere(leader.pid(), leader.start())) {
                groups.add(leader.pid());
            }
        }
        for (LiveProcess process : all.live()) {
            if (groups.contains(process.group())) {
                send(signal, process.id());
            }
        }
    }

    static void toProcesses(String signal, Collection<ProcessId> processes) {
        processes.forEach(process -> send(signal, process));
    }

    private static void send(String signal, ProcessId process) {
        ProcessHandle.of(process.pid())
                .filter(handle -> ProcessTable.isThere(process.pid(), process.start()))
                .ifPresent(handle -> {
                    if (signal.equals("KILL")) {
                        handle.destroyForcibly();
                    } else if (signal.equals("TERM")) {
                        handle.destroy();
                    }
                });
    }
}
