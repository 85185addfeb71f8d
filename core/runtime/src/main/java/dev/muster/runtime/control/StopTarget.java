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

    private final Optional<Duration> grace;
    private final LongSupplier nanoClock;
    private final Consumer<String> say;
    /** Whether the launcher's end is that of the container, and of this process. */
    private final boolean endsWithIt;

    private FoundLauncher launcher;
    private @Nullable DeskCall call;
    private long calledAt;
    private boolean isTold;
    private boolean isSignalled;
    private boolean mayLeave;
    private Optional<String> code = Optional.empty();

    StopTarget(FoundLauncher launcher, Optional<Duration> grace, LongSupplier nanoClock, Consumer<String> say) {
        this.launcher = launcher;
        this.grace = grace;
        this.nanoClock = nanoClock;
        this.say = say;
        this.endsWithIt = Ancestry.of(launcher.signalled().pid()).isContainers()
                && Ancestry.of(ProcessHandle.current().pid()).isFromOutside();
    }

    FoundLauncher launcher() {
        return launcher;
    }

    /** How long its processes have from the signal to KILL. */
    Duration grace() {
        return isSignalled && !isTold ? launcher.grace() : grace.orElse(launcher.grace());
    }

    void begin() {
        if (!launcher.isThere()) {
            say.accept(
                    launcher.describe() + " is dead already; waiting for its warden, which ends what it has started");
        } else if (!call()) {
            signal("it cannot be asked");
        }
    }

    /** It has been seen again, perhaps with a desk that it did not have before. */
    void isNow(FoundLauncher seen) {
        if (seen.processes().contains(launcher.process())) {
            launcher = seen;
            if (isSignalled && !isTold && call == null && grace.isPresent()) {
                call();
            }
        }
    }

    /** Hears what the launcher says, and does what is due. */
    void look() {
        hear();
        boolean isLate = call != null && nanoClock.getAsLong() - calledAt >= PATIENCE;
        if (!isTold && !isSignalled && (call == null || isLate) && launcher.isThere()) {
            signal("it does not answer");
        }
    }

    boolean isOver() {
        return mayLeave || launcher.hasEnded() || (endsWithIt && isSignalled && !isTold && !hasRanks());
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
            String length = grace.map(Duration::toMillis).map(String::valueOf).orElse("-");
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
        } catch (IOException hungUp) {
            call.close();
            call = null;
        }
    }

    private void heard(String[] words) {
        if (words[0].equals("stopping") && !isTold) {
            isTold = true;
            say.accept("stopping " + launcher.describe() + " (grace " + Durations.format(grace())
                    + (grace.isPresent() ? "" : ", its own") + ")");
        } else if (words[0].equals("ended") && words.length == 3) {
            code = Optional.of(Printable.escape(words[1]));
            mayLeave = words[2].equals("leave");
        }
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
