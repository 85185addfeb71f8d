package dev.muster.runtime.remote;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import java.util.List;
import java.util.Map;

/** How a job on other hosts ended: the exit code, and why. */
record RemoteVerdict(int code, String reason) {

    /** Stands for an exit code if the connection was lost. */
    static final int LOST = -1;

    static RemoteVerdict stopped(ReceivedSignal signal) {
        return new RemoteVerdict(signal.exitCode(), "stopped by " + signal.title());
    }

    /**
     * The leader's exit code counts, unless a connection was lost.
     *
     * @param ends the exit codes of the launchers, in the order of their ends
     */
    static RemoteVerdict of(List<RemoteLauncher> launchers, Map<RemoteLauncher, Integer> ends) {
        List<RemoteLauncher> failed = ends.keySet().stream()
                .filter(launcher -> ends.getOrDefault(launcher, 0) != 0)
                .toList();
        if (failed.isEmpty()) {
            return new RemoteVerdict(0, "the launchers on " + launchers.size() + " hosts succeeded");
        }
        RemoteLauncher cause = failed.contains(launchers.get(0)) ? launchers.get(0) : failed.get(0);
        int code = ends.getOrDefault(cause, 0);
        List<RemoteLauncher> lost = failed.stream()
                .filter(launcher -> ends.getOrDefault(launcher, 0) == LOST)
                .toList();
        // A launcher that loses its connection ends as by SIGHUP.
        return !lost.isEmpty() && (code == LOST || code == ExitCode.ofSignal(1))
                ? new RemoteVerdict(
                        ExitCode.TEMPORARY.code(),
                        "the connection to " + RemoteJob.names(lost) + " was lost, which ends the job")
                : new RemoteVerdict(
                        code, "the launcher on " + cause.name() + " ended with exit code " + code + "; see its lines");
    }
}
