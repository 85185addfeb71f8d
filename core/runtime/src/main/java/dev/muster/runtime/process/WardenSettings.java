package dev.muster.runtime.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a warden's shell is told when it begins.
 *
 * @param marker of those in its care
 * @param grace between TERM and KILL when the launcher has died
 * @param forerunners variables by which those are known who get TERM, and the grace period, before all others
 * @param directory removed with its content when all processes have ended
 */
record WardenSettings(RunMarker marker, Duration grace, Set<String> forerunners, Optional<Path> directory) {

    static final String GRACE_AND_MARKER = "MUSTER_WARDEN";

    /** The shell's unit of time. */
    static final Duration TICK = Duration.ofMillis(10);

    static final String DIRECTORY = "MUSTER_WARDEN_DIRECTORY";
    private static final String FIRST = "MUSTER_WARDEN_FIRST";
    private static final String LAUNCHER = "MUSTER_WARDEN_LAUNCHER";

    /** The same with another time. */
    WardenSettings with(Duration other) {
        return new WardenSettings(marker, other, forerunners, directory);
    }

    /** A time in the shell's unit. To divide one duration by another takes a launcher ten milliseconds: the JDK does that exactly. */
    static long ticks(Duration time) {
        return time.toMillis() / TICK.toMillis();
    }

    /** Not as arguments, which every user could read. */
    Map<String, String> variables() {
        Map<String, String> variables = variablesOfTheDead();
        ProcessTable.identify(ProcessHandle.current().pid())
                .ifPresent(self -> variables.put(LAUNCHER, self.pid() + " " + self.start()));
        return variables;
    }

    /** For one whose launcher has died: nobody reads what is printed. */
    Map<String, String> variablesOfTheDead() {
        Map<String, String> variables = new HashMap<>();
        variables.put(GRACE_AND_MARKER, ticks(grace) + " " + marker.value());
        variables.put(FIRST, String.join(" ", forerunners));
        directory.ifPresent(path -> variables.put(DIRECTORY, path.toString()));
        return variables;
    }
}
