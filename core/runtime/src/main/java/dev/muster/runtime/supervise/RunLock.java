package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.process.LockAnswer;
import dev.muster.runtime.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Only one launcher at a time runs a part of a job on this machine. A second one waits until the first has ended. */
final class RunLock {

    /** The holder kills its processes after its grace. Their end may take this long on a busy machine. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final RunTools tools;
    private final Set<String> taken = new HashSet<>();

    RunLock(RunTools tools) {
        this.tools = tools;
    }

    /**
     * Takes the lock, unless this launcher already holds it.
     *
     * @param grace of this launcher
     * @return false: the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#TEMPORARY}: the other launcher has not ended in time
     */
    boolean take(RunIdentity identity, Duration grace) {
        if (taken.contains(identity.stem())) {
            return true;
        }
        LockAnswer answer = ask(identity.job(), identity.part(), grace);
        // If the holder is an ancestor, one of its ranks started this launcher: it would wait for ever.
        boolean isTaken = answer.isTaken() || isAncestor(answer.holder()) || await(identity, grace, answer);
        if (isTaken) {
            taken.add(identity.stem());
        }
        return isTaken;
    }

    /** Gives a simulation its name for {@code muster stop}. Several simulations may run at once. */
    void nameSimulation(String run, Duration grace) {
        ask("simulation " + run, "", grace);
    }

    private LockAnswer ask(String job, String part, Duration grace) {
        try {
            return tools.supervisor().lock().take(job, part, grace);
        } catch (IOException gone) {
            throw new MusterException(ExitCode.TEMPORARY, "cannot lock the job: " + IoReasons.of(gone), gone);
        }
    }

    private boolean await(RunIdentity identity, Duration grace, LockAnswer first) {
        Duration limit = first.grace().plus(BEYOND_GRACE);
        long begin = tools.now();
        String holder = "another launcher of job " + identity.job() + " (" + identity.part()
                + (first.holder() == 0 ? ")" : ", pid " + first.holder() + ")");
        Waiting waiting = tools.waits().upTo(limit);
        while (tools.signals().sleep(PAUSE)) {
            if (ask(identity.job(), identity.part(), grace).isTaken()) {
                return true;
            }
            if (tools.now() - begin >= limit.toNanos()) {
                throw new MusterException(
                        ExitCode.TEMPORARY,
                        holder + " has not ended within " + Durations.format(limit)
                                + ". Stop it, or start the job again later");
            }
            waiting.report(() -> holder + " has not ended yet; waiting for it");
        }
        return false;
    }

    private static boolean isAncestor(long holder) {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        above -> above.flatMap(ProcessHandle::parent))
                .anyMatch(above -> above.orElseThrow().pid() == holder);
    }
}
