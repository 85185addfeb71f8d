package dev.muster.runtime.runs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Notices that runs fail in the same way again and again, soon after their start: then the next would fail so, too. */
public final class Repetition {

    /** How often a failure is taken for an accident, and once more. */
    public static final int TIMES = 3;

    /** What fails later has done some work before. */
    public static final Duration SOON = Duration.ofSeconds(10);

    /** Addresses in memory, times and numbers of processes and the like, which differ however equal two failures are. */
    private static final String CHANGING = "0[xX][0-9a-fA-F]+|[0-9]+(?:[:.][0-9]+){2,}|[0-9]{4,}";

    private Optional<Failure> last = Optional.empty();
    private int times;

    /**
     * A failure.
     *
     * @param who failed: the process or rank, with its node
     * @param exitCode 128+n for signal n
     * @param pid 0 when it is not known
     * @param words what it printed last
     * @param ran how long it had run
     */
    public record Failure(String who, int exitCode, long pid, List<String> words, Duration ran) {

        public Failure {
            words = List.copyOf(words);
        }

        boolean isSoon() {
            return ran.compareTo(SOON) < 0;
        }

        boolean isSameAs(Failure other) {
            return who.equals(other.who)
                    && exitCode == other.exitCode
                    && lasting().equals(other.lasting());
        }

        private List<String> lasting() {
            return words.stream()
                    .map(line -> (pid > 0 ? line.replaceAll("\\b" + pid + "\\b", "#") : line).replaceAll(CHANGING, "#"))
                    .toList();
        }
    }

    /** A run has failed; whether that was the third time in succession. Empty: not in a way that can be compared. */
    public boolean isThird(Optional<Failure> failure) {
        Optional<Failure> soon = failure.filter(Failure::isSoon);
        boolean isSame = soon.isPresent() && last.filter(soon.get()::isSameAs).isPresent();
        times = isSame ? times + 1 : soon.isPresent() ? 1 : 0;
        last = soon;
        return times >= TIMES;
    }
}
