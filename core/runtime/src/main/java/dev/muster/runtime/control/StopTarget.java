package dev.muster.runtime.control;

import dev.muster.runtime.process.Ancestry;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One launcher that is being stopped: at its desk, or by a signal where nobody answers there. */
final class StopTarget {

    /** Whoever has not answered then is told by a signal. A launcher on a busy machine may take a while to come to a processor. */
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private final Optional<Duration> wanted;
    private final List<StopTarget> within;
    private final LongSupplier nanoClock;
    private final Consumer<String> say;
    /** Whether the launcher's end is that of the container, and of this process. */
    private final boolean endsWithIt;

    private FoundLauncher launcher;
    private @Nullable DeskCall call;
    private long calledAt;
    private boolean isSignalled;
    private boolean mayLeave;
    /** Whether the shell that waits for its end was looked at: one that stands still never ends. */
    private boolean isAwake;

    private Optional<String> code = Optional.empty();
    /** What the launcher says is the grace of its stop. */
    private Optional<Duration> told = Optional.empty();
    /** When the grace began that holds now. */
    private long since;

    /**
     * @param wanted the grace of this stop; empty: the launcher's own
     * @param within launchers that this one has started, and which are to have the grace: it ends when they have
     */
    StopTarget(
            FoundLauncher launcher,
            Optional<Duration> wanted,
            List<StopTarget> within,
            LongSupplier nanoClock,
            Consumer<String> say) {
        this.launcher = launcher;
        this.within = within;
        this.wanted = wanted;
        this.nanoClock = nanoClock;
        this.say = say;
        this.endsWithIt = Ancestry.of(launcher.signalled().pid()).isContainers()
                && Ancestry.of(ProcessHandle.current().pid()).isFromOutside();
    }

    FoundLauncher launcher() {
        return launcher;
    }

    /** Whether its processes may still be within their grace, from the signal to KILL, or that ended less than this ago. */
    boolean isInTime(Duration beyond) {
        Duration own = isSignalled ? launcher.grace() : wanted.orElse(launcher.grace());
        return nanoClock.getAsLong() - since < told.orElse(own).plus(beyond).toNanos();
    }

    void begin() {
        since = nanoClock.getAsLong();
        if (!within.isEmpty()) {
            say.accept(launcher.describe() + " ends with the launchers that it has started");
        } else if (!launcher.isThere()) {
            say.accept(
                    launcher.describe() + " is dead already; waiting for its warden, which ends what it has started");
        } else if (!call()) {
            signal("it cannot be asked");
        }
    }

    /** It has been seen again, perhaps with a desk that it did not have before. */
    void isNow(FoundLauncher seen) {
        boolean isKnownBetter = launcher.warden().isPresent() && seen.warden().isEmpty();
        if (seen.processes().contains(launcher.process()) && !isKnownBetter) {
            launcher = seen;
            if (isSignalled && told.isEmpty() && call == null && wanted.isPresent()) {
                call();
            }
        }
    }

    /** Hears what the launcher says, and does what is due. */
    void look() {
        hear();
        if (!isAwake && (code.isPresent() || !launcher.isThere())) {
            isAwake = true;
            launcher.guard().ifPresent(StopTarget::wake);
        }
        if (within.stream().anyMatch(inner -> !inner.isOver())) {
            since = nanoClock.getAsLong();
            calledAt = since;
            return;
        }
        boolean isDue = (within.isEmpty() && call == null) || nanoClock.getAsLong() - calledAt >= PATIENCE;
        if (told.isEmpty() && !isSignalled && isDue && launcher.isThere()) {
            signal(within.isEmpty() ? "it does not answer" : "it has not ended with them");
        }
    }

    boolean isOver() {
        return mayLeave || launcher.hasEnded() || (endsWithIt && isWithoutAnswer() && !hasRanks());
    }

    private boolean isWithoutAnswer() {
        return told.isEmpty()
                && (isSignalled || (!within.isEmpty() && within.stream().allMatch(StopTarget::isOver)));
    }

    /** Once nothing is left to be ended, a launcher that cannot tell so is about to end. */
    private boolean hasRanks() {
        return launcher.warden()
                .filter(warden -> ProcessTable.isThere(warden.pid(), warden.start()))
                .isPresent();
    }

    /** The code that it ended with, where it has told it. */
    Optional<String> code() {
        return code;
    }

    private boolean call() {
        if (launcher.directory().isEmpty()) {
            return false;
        }
        try {
            String length = wanted.map(Duration::toMillis).map(String::valueOf).orElse("-");
            call = DeskCall.begin(
                    launcher.directory().get(),
                    "stop " + length + " " + ProcessHandle.current().pid());
            calledAt = nanoClock.getAsLong();
            return true;
        } catch (IOException | UnsupportedOperationException nobody) {
            return false;
        }
    }

    private void hear() {
        if (call == null) {
            return;
        }
        try {
            for (Optional<String> line = call.line(); line.isPresent(); line = call.line()) {
                heard(line.get().split(" ", -1));
            }
        } catch (IOException | NumberFormatException hungUp) {
            call.close();
            call = null;
        }
    }

    private void heard(String[] words) {
        if (words[0].equals("stopping") && words.length >= 2) {
            holds(Duration.ofMillis(Long.parseLong(words[1])), words[words.length - 1].equals(StopDesk.OWN));
        } else if (words[0].equals("ended") && words.length == 3) {
            code = Optional.of(Printable.escape(words[1]));
            mayLeave = words[2].equals("leave");
        }
    }

    /** It is the grace of the stop from now on. */
    private void holds(Duration grace, boolean isOwn) {
        since = nanoClock.getAsLong();
        if (!told.equals(Optional.of(grace))) {
            boolean isOthers = !isOwn && !wanted.equals(Optional.of(grace));
            say.accept("stopping " + launcher.describe() + " (grace " + Durations.format(grace)
                    + (isOwn ? ", its own" : "") + (isOthers ? ", as another muster stop wants it" : "") + ")");
        }
        told = Optional.of(grace);
    }

    private void signal(String why) {
        isSignalled = true;
        ProcessId process = launcher.signalled();
        say.accept("stopping " + launcher.describe() + " by SIGTERM, with "
                + (launcher.warden().isPresent()
                        ? "its own grace of " + Durations.format(launcher.grace())
                        : "nothing started that would need a grace")
                + ": " + why);
        boolean isSent = ProcessTable.isThere(process.pid(), process.start())
                && ProcessHandle.of(process.pid())
                        .filter(ProcessHandle::destroy)
                        .isPresent();
        if (!isSent && launcher.isThere()) {
            say.accept("pid " + process.pid() + " cannot be signalled: are you its user, or root with CAP_KILL?");
        }
        wake(process);
        wake(launcher.process());
    }

    /** Whoever stands still obeys only when it goes on. Java has no such signal. */
    private static void wake(ProcessId process) {
        if (ProcessSurvey.isStopped(process.pid()) && ProcessTable.isThere(process.pid(), process.start())) {
            try {
                new ProcessBuilder(List.of("/bin/sh", "-c", "kill -s CONT " + process.pid()))
                        .inheritIO()
                        .start();
            } catch (IOException | OutOfMemoryError noProcess) {
                // Then somebody else must.
            }
        }
    }
}
