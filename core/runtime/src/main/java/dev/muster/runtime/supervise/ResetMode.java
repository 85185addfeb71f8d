package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How the ranks of a node end when cards of theirs have faults. */
public enum ResetMode {

    /** All at once, by SIGKILL alone: what they would save is of no use where a card has failed among them. */
    COMMON,

    /** Who has a card without fault may save what it has; who has not, hangs. */
    ELASTIC;

    private static final Duration FOR_FAULTY = Duration.ofSeconds(10);
    private static final Duration FOR_OTHERS = Duration.ofSeconds(50);

    /** By the value of {@code --reset-mode}. */
    public static ResetMode named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Begins to end them. */
    void begin(Stops stops, Roster roster, Cause.Decided fault) {
        if (this == COMMON) {
            stops.killTasks();
            return;
        }
        List<Supervised> faulty = roster.tasks().stream()
                .filter(task -> task.spec().placement().stream()
                        .anyMatch(placement -> fault.faulty().contains(placement.rank())))
                .toList();
        stops.beginTasks(FOR_OTHERS, faulty, FOR_FAULTY);
    }

    /** What users are told that will happen. */
    public String words() {
        return this == COMMON
                ? "SIGKILL at once"
                : "SIGTERM now, SIGKILL after " + FOR_FAULTY.toSeconds() + "s where the fault is, after "
                        + FOR_OTHERS.toSeconds() + "s elsewhere";
    }
}
