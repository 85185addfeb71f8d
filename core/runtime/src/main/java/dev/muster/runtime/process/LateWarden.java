package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Ends what another launcher has left that was killed together with its warden, as that warden would have done it. It needs nobody,
 * and goes on whatever happens to this launcher.
 */
public final class LateWarden {

    private LateWarden() {}

    /**
     * Lets a process go on that stands still, by a warden that does nothing else: Java has no SIGCONT.
     *
     * @param still the warden of a dead launcher, or a launcher without its guard
     */
    public static void wake(RunMarker marker, Duration grace, ProcessId still, LongSupplier nanoClock) {
        WardenSettings settings = new WardenSettings(marker, grace, Set.of(), Optional.empty());
        try {
            WardenShell shell = WardenShell.start(settings.variables(), Guard.none(), nanoClock);
            shell.give("processes CONT " + still);
            shell.write(WardenOrders.QUIT);
        } catch (IOException refused) {
            // Whoever waits for that warden tries again.
        }
    }

    /**
     * Lets it begin.
     *
     * @param leaders processes that the dead launcher has started; those that have ended are no harm
     * @param directory the dead launcher's private one, removed at the end
     * @return its process; empty when none can be made
     */
    public static Optional<ProcessId> begin(
            RunMarker marker,
            Duration grace,
            Set<String> forerunners,
            Path directory,
            List<ProcessId> leaders,
            LongSupplier nanoClock) {
        WardenSettings settings = new WardenSettings(marker, grace, forerunners, Optional.of(directory));
        try {
            // This launcher's guard waits for the warden of this launcher.
            WardenShell shell = WardenShell.start(settings.variablesOfTheDead(), Guard.none(), nanoClock);
            // Who is never told anything ends nobody.
            shell.give(WardenOrders.PING);
            leaders.stream()
                    .filter(leader -> leader.pid() > 1)
                    .forEach(leader -> shell.give(WardenOrders.adopt(leader)));
            shell.hangUp();
            return Optional.of(shell.id());
        } catch (IOException refused) {
            return Optional.empty();
        }
    }
}
