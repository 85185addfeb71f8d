package dev.muster.runtime.process;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What code of plugins has started in this JVM. They are this process's descendants, or carry a variable that only this JVM has and that no
 * rank gets: whoever has given itself to the system keeps it. What the start script runs beside the launcher is neither.
 */
public final class GuestProcesses {

    private static final String WARDEN = "MUSTER_WARDEN=";
    /** What each variable follows. */
    private static final String NO_VARIABLES = "\0";

    private static final Duration LOOK = Duration.ofMillis(20);
    /** A killed process that is still there after this hangs in the kernel. */
    private static final Duration UNKILLABLE = Duration.ofSeconds(2);

    private final Optional<String> variable;
    private final Consumer<String> say;
    private final LongSupplier nanoClock;
    private final Set<ProcessId> told = new HashSet<>();

    /**
     * @param guard what the variable {@code MUSTER_PID} is in this JVM
     * @param say tells users
     */
    public GuestProcesses(Optional<String> guard, Consumer<String> say, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.variable = guard.map(pid -> "\0MUSTER_PID=" + pid + "\0");
        this.say = say;
    }

    /**
     * Ends them, by SIGTERM, and SIGKILL after a time. Nothing of the job is there any more.
     *
     * @param plugin whose code may have started them
     */
    public void end(String plugin, Duration grace) {
        long begin = nanoClock.getAsLong();
        for (List<LiveProcess> left = find(); !left.isEmpty(); left = find()) {
            Duration since = Duration.ofNanos(nanoClock.getAsLong() - begin);
            if (since.compareTo(grace.plus(UNKILLABLE)) > 0) {
                return;
            }
            boolean isLate = since.compareTo(grace) > 0;
            left.forEach(process -> end(process, plugin, isLate));
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private void end(LiveProcess process, String plugin, boolean isLate) {
        if (told.add(process.id())) {
            say.accept("code of " + plugin + " left process " + process.pid() + " (" + process.name()
                    + ") behind; stopping it");
            send(process, ProcessHandle::destroy);
        }
        if (isLate) {
            send(process, ProcessHandle::destroyForcibly);
        }
    }

    private static void send(LiveProcess process, Consumer<ProcessHandle> signal) {
        // Both are needed: a number may be another process's by now.
        ProcessHandle.of(process.pid())
                .filter(handle -> ProcFiles.identify(process.pid()).equals(Optional.of(process.id())))
                .ifPresent(signal);
    }

    private List<LiveProcess> find() {
        return find(ProcFiles.all().live());
    }

    /**
     * Those that are still there.
     *
     * @param all processes of a moment ago
     */
    List<LiveProcess> find(List<LiveProcess> all) {
        long own = ProcessHandle.current().pid();
        long start = ProcFiles.identify(own).map(ProcessId::start).orElse(0L);
        long guard = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(own);
        List<LiveProcess> found = new ArrayList<>();
        List<LiveProcess> rest = new ArrayList<>();
        for (LiveProcess process : all) {
            // Whoever was there before this JVM is none of them, whatever it carries; nor is the warden.
            if (process.pid() != own && process.pid() != guard && process.id().start() >= start) {
                String environment = environment(process);
                if (!environment.contains("\0" + WARDEN) && !isEnding(process, environment)) {
                    (variable.filter(environment::contains).isPresent() ? found : rest).add(process);
                }
            }
        }
        Set<Long> parents = new HashSet<>(Set.of(own));
        found.forEach(process -> parents.add(process.pid()));
        boolean isAnyTaken;
        do {
            isAnyTaken = rest.removeIf(process -> {
                boolean isTaken = parents.contains(process.parent());
                if (isTaken) {
                    found.add(process);
                    parents.add(process.pid());
                }
                return isTaken;
            });
        } while (isAnyTaken);
        found.sort((one, other) -> Long.compare(one.pid(), other.pid()));
        return found;
    }

    /** The warden ends at the same time: without its variables it looks like anybody whom this JVM has started. */
    private static boolean isEnding(LiveProcess process, String environment) {
        return environment.equals(NO_VARIABLES) && !ProcFiles.hasMemory(process.pid());
    }

    private static String environment(LiveProcess process) {
        return NO_VARIABLES + new String(ProcFiles.environment(process.pid()), StandardCharsets.ISO_8859_1);
    }
}
