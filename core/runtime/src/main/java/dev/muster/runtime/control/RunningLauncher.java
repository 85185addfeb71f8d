package dev.muster.runtime.control;

import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.Optional;

/**
 * A launcher that listens at its socket.
 *
 * @param pid of its supervisor, as the name of the socket says
 * @param user by number
 * @param identity empty: it does not answer
 */
record RunningLauncher(ControlClient client, long pid, long user, Optional<Identity> identity) {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String SIMULATION = "simulation ";

    /**
     * What the supervisor itself says, also where its JVM answers nothing: {@code ASKER GRACE NESTED JOB}.
     *
     * @param asker the pid of whoever asks, as it is seen there; 0: by a supervisor of another container
     * @param isNested whether another launcher has started it
     * @param job empty as long as nothing was started
     */
    record Identity(long asker, Duration grace, boolean isNested, Optional<String> job) {

        private static final int WORDS = 4;
        private static final String NUMBER = "[0-9]{1,15}";
        private static final String NO_JOB = "-";

        private static Optional<Identity> of(String line) {
            String[] words = line.split(" ", WORDS);
            if (words.length < WORDS || !words[0].matches(NUMBER) || !words[1].matches(NUMBER)) {
                return Optional.empty();
            }
            return Optional.of(new Identity(
                    Long.parseLong(words[0]),
                    Duration.ofMillis(Long.parseLong(words[1])),
                    words[2].equals("1"),
                    Optional.of(words[3]).filter(job -> !job.equals(NO_JOB))));
        }
    }

    /** With what it answers to {@code who}. */
    RunningLauncher identified() {
        return new RunningLauncher(client, pid, user, client.answer(PATIENCE).flatMap(Identity::of));
    }

    Optional<String> job() {
        return identity.flatMap(Identity::job);
    }

    boolean isNested() {
        return identity.filter(Identity::isNested).isPresent();
    }

    boolean isSimulation() {
        return job().filter(job -> job.startsWith(SIMULATION)).isPresent();
    }

    /** For messages. */
    String name() {
        String what = job().map(job -> (isSimulation() ? "" : "job ") + Printable.escape(job))
                .orElse(identity.isPresent() ? "a launcher that has started nothing yet" : "a launcher");
        return what + " (pid " + pid + ")";
    }
}
