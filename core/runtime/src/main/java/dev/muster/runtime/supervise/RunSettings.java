package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Fault;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of an attempt.
 *
 * @param owner the run that it belongs to; empty: a simulation, which needs no lock
 * @param isRestart whether an earlier attempt of the same launcher came before
 * @param inputTimeout how long to wait for ports and other inputs
 * @param peers the other launchers of the job
 * @param faults which ranks to kill, in a simulation
 * @param resets the file in which the platform lists faults of the ranks' cards
 */
public record RunSettings(
        OutputSettings output,
        StopSettings stop,
        JobSettings job,
        Optional<Owner> owner,
        boolean isRestart,
        Duration inputTimeout,
        PeerLink peers,
        List<Fault> faults,
        Optional<ResetFile> resets) {

    /** The settings of a launcher without other launchers. */
    public static RunSettings alone(OutputSettings output, StopSettings stop, JobSettings job, Duration inputTimeout) {
        return new RunSettings(
                output, stop, job, Optional.empty(), false, inputTimeout, PeerLink.NONE, List.of(), Optional.empty());
    }

    /**
     * Where output goes.
     *
     * @param run its name, for the line between two attempts in a log file
     * @param logDirectory the directory of the logs; if it cannot be made, output goes to the console only
     * @param prefix of a process's lines on the console
     * @param console how the console shows lines
     */
    public record OutputSettings(
            String run, Path logDirectory, Function<ProcessSpec, String> prefix, ConsoleStyle console) {

        DebuggedRank debugged() {
            return new DebuggedRank(console.debugged());
        }
    }

    /**
     * How processes are stopped.
     *
     * @param grace between SIGTERM and SIGKILL
     * @param toAll whether SIGTERM goes to all processes at once, instead of to the leaders first
     * @param endDelay how long other tasks have to end by themselves after one failed; zero: they are stopped at once
     * @param checkpointSignal the name, without SIG, of the signal that ranks get first in a stop; empty: they get SIGTERM at once
     * @param codes the exit codes of the launcher
     * @param terminationLog the file from which Kubernetes reads the termination message
     */
    public record StopSettings(
            Duration grace,
            boolean toAll,
            Duration endDelay,
            Optional<String> checkpointSignal,
            ExitCodes codes,
            Optional<Path> terminationLog) {

        public static StopSettings of(Duration grace, Duration patience) {
            return new StopSettings(grace, false, patience, Optional.empty(), ExitCodes.STANDARD, Optional.empty());
        }
    }

    /**
     * The job of the user.
     *
     * @param node the name of this node for users; empty: unknown
     * @param command the user's command
     * @param environment of the processes, and its difference from that of the launcher's caller
     * @param secrets the texts that no file and no other launcher may get
     * @param mask hides the secrets in texts
     */
    public record JobSettings(
            String node, List<String> command, Environment environment, Secrets secrets, UnaryOperator<String> mask) {

        private static final Pattern RANK = Pattern.compile("rank [0-9]+ on (\\S+) .*");

        public static JobSettings of(String node, List<String> command, Environment environment, Secrets secrets) {
            return new JobSettings(node, command, environment, secrets, secrets.mask(environment.variables(), command));
        }

        /** The host of another node, if a text such as {@code rank 3 on gpu1 was killed} is about one. */
        Optional<String> otherHost(String words) {
            Matcher rank = RANK.matcher(words);
            return rank.matches() && !node.contains("(" + rank.group(1) + ")")
                    ? Optional.of(rank.group(1))
                    : Optional.empty();
        }
    }

    /**
     * The run that an attempt belongs to.
     *
     * @param logs the directory of the logs; it outlives the attempt
     * @param running gets the number of ranks and services once all ranks run
     */
    public record Owner(RunIdentity identity, LogDirectoryClaim logs, IntConsumer running) {}

    /** The text with secrets masked. */
    String masked(String text) {
        return job.mask().apply(text);
    }
}
