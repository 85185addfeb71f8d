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
 * How a plan is to be carried out.
 *
 * @param owner which run of which job it is; empty: of none that others could run, too
 * @param isAgain whether it follows another run of the same launcher
 * @param inputTimeout how long to wait for what must be there first
 * @param peers the other launchers of the job
 * @param faults which ranks are killed, in a simulation
 * @param resets where the platform lists faults of the cards that ranks run on
 */
public record RunSettings(
        OutputSettings output,
        StopSettings stop,
        JobSettings job,
        Optional<Owner> owner,
        boolean isAgain,
        Duration inputTimeout,
        Peers peers,
        List<Fault> faults,
        Optional<ResetFile> resets) {

    /** Of a launcher that is alone. */
    public static RunSettings alone(OutputSettings output, StopSettings stop, JobSettings job, Duration inputTimeout) {
        return new RunSettings(
                output, stop, job, Optional.empty(), false, inputTimeout, Peers.NONE, List.of(), Optional.empty());
    }

    /**
     * Where output goes.
     *
     * @param run its name, for the line between two runs in a log file
     * @param logDirectory where logs go; when it cannot be made, output goes to the console only
     * @param prefix what stands before a process's lines on the console
     * @param console how it shows them
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
     * @param grace between TERM and KILL
     * @param toAll whether SIGTERM goes to all processes at once, and not to leaders first
     * @param patience how long other tasks may end by themselves when one has failed; zero: they are stopped at once
     * @param checkpointSignal what ranks get first when the job is stopped, without SIG; empty: they get TERM at once
     * @param codes what the launcher ends with
     * @param terminationLog where Kubernetes looks for last words
     */
    public record StopSettings(
            Duration grace,
            boolean toAll,
            Duration patience,
            Optional<String> checkpointSignal,
            ExitCodes codes,
            Optional<Path> terminationLog) {

        /** With nothing but a grace, and then patience. */
        public static StopSettings of(Duration grace, Duration patience) {
            return new StopSettings(grace, false, patience, Optional.empty(), ExitCodes.STANDARD, Optional.empty());
        }
    }

    /**
     * What the user wants to run.
     *
     * @param node which this is, for users; empty when nobody says
     * @param command from which the plan was made
     * @param environment what processes inherit, and how it differs from that of the launcher's caller
     * @param secrets what no file and no other launcher may be shown
     * @param mask hides it in texts
     */
    public record JobSettings(
            String node, List<String> command, Environment environment, Secrets secrets, UnaryOperator<String> mask) {

        private static final Pattern RANK = Pattern.compile("rank [0-9]+ on (\\S+) .*");

        public static JobSettings of(String node, List<String> command, Environment environment, Secrets secrets) {
            return new JobSettings(node, command, environment, secrets, secrets.mask(environment.variables(), command));
        }

        /** The host of another node, if words such as {@code rank 3 on gpu1 was killed} are about one. */
        Optional<String> otherHost(String words) {
            Matcher rank = RANK.matcher(words);
            return rank.matches() && !node.contains("(" + rank.group(1) + ")")
                    ? Optional.of(rank.group(1))
                    : Optional.empty();
        }
    }

    /**
     * Whose run it is.
     *
     * @param logs where they go; kept beyond the run
     * @param running told how many ranks and services run, once all ranks do
     */
    public record Owner(RunIdentity identity, LogDirectoryClaim logs, IntConsumer running) {}

    /** A text that others may read. */
    String masked(String text) {
        return job.mask().apply(text);
    }
}
