package dev.muster.runtime.control;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A launcher that listens on its control socket.
 *
 * @param pid of its supervisor, from the name of the socket
 * @param user who started it
 * @param identity empty: it does not answer
 */
record RunningLauncher(ControlClient client, long pid, User user, Optional<Identity> identity) {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String SIMULATION = "simulation ";
    private static final String PROGRAM = "/muster";

    /**
     * Its answer to {@code who}: {@code NAMESPACE NESTED JOB}.
     *
     * @param namespace its PID namespace
     * @param isNested whether another launcher has started it
     * @param job empty before anything is started
     */
    record Identity(String namespace, boolean isNested, Optional<String> job) {

        private static final int WORDS = 3;
        private static final String NO_JOB = "-";
        private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

        static String line(boolean isNested, Optional<String> job) {
            return ownNamespace() + " " + (isNested ? 1 : 0) + " " + job.orElse(NO_JOB);
        }

        /** Without /proc all launchers count as one namespace. */
        static String ownNamespace() {
            String namespace = ReadableFiles.target(NAMESPACE);
            return namespace.isEmpty() ? NO_JOB : namespace;
        }

        private static Optional<Identity> of(String line) {
            String[] words = line.split(" ", WORDS);
            return words.length < WORDS
                    ? Optional.empty()
                    : Optional.of(new Identity(
                            words[0],
                            words[1].equals("1"),
                            Optional.of(words[2]).filter(job -> !job.equals(NO_JOB))));
        }
    }

    /**
     * A user of this machine.
     *
     * @param isCaller whether it is the user of this command
     */
    record User(long number, String name, boolean isCaller) {

        boolean isCalled(String word) {
            return word.equals(name) || word.equals(Long.toString(number));
        }
    }

    /** This launcher with its answer to {@code who}. */
    RunningLauncher identified() {
        return new RunningLauncher(client, pid, user, client.nextLine(PATIENCE).flatMap(Identity::of));
    }

    Optional<String> job() {
        return identity.flatMap(Identity::job);
    }

    /** Sends SIGTERM to its supervisor. False: the process with this pid is not known to be one. */
    boolean terminate() {
        return ProcessHandle.of(pid)
                .filter(process -> process.info().command().orElse("").endsWith(PROGRAM))
                .map(ProcessHandle::destroy)
                .orElse(false);
    }

    boolean isNested() {
        return identity.filter(Identity::isNested).isPresent();
    }

    boolean isSimulation() {
        return job().filter(job -> job.startsWith(SIMULATION)).isPresent();
    }

    /**
     * The launchers of one job. Simulations do not count, but the launchers that they started do. Nested launchers count only if there are
     * no others.
     *
     * @param job its id; empty: the only job
     * @throws MusterException there are several jobs
     */
    static List<RunningLauncher> ofOneJob(List<RunningLauncher> found, Optional<String> job) {
        List<RunningLauncher> all = found.stream()
                .filter(launcher -> launcher.job().isPresent() && !launcher.isSimulation())
                .filter(launcher -> job.isEmpty() || launcher.job().equals(job))
                .toList();
        List<RunningLauncher> outer =
                all.stream().filter(launcher -> !launcher.isNested()).toList();
        List<RunningLauncher> meant = outer.isEmpty() ? all : outer;
        if (meant.stream().map(RunningLauncher::job).distinct().count() > 1) {
            throw MusterException.usage("several jobs run here: " + names(meant) + ". Say which: --job ID");
        }
        return meant;
    }

    static String names(List<RunningLauncher> launchers) {
        return launchers.stream().map(RunningLauncher::name).collect(Collectors.joining("; "));
    }

    /** For messages. */
    String name() {
        String what = job().map(job -> (isSimulation() ? "" : "job ") + Printable.escape(job))
                .orElse(
                        identity.isPresent()
                                ? "a launcher that has started nothing yet"
                                : "a launcher that does not answer");
        return what + " (pid " + pid + (user.isCaller() ? ")" : ", user " + user.name() + ")");
    }
}
