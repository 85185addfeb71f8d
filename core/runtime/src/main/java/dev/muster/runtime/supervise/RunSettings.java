package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * How a plan is to be carried out.
 *
 * @param run the run's name, for the line between two runs in a log file
 * @param identity which run of which job it is; empty: of none that others could run, too
 * @param names those of its files; kept beyond the run
 * @param isAgain whether it follows another run of the same launcher
 * @param mayBeFollowed whether another run of it may follow
 * @param node which this is, for users; empty when nobody says
 * @param command of the user, from which the plan was made
 * @param startedAt when the launcher started
 * @param grace between TERM and KILL
 * @param stopsAll whether SIGTERM goes to all processes at once, and not to leaders first
 * @param codeAfterTerm what the launcher ends with after SIGTERM
 * @param terminationLog where Kubernetes looks for last words
 * @param inputTimeout how long to wait for what must be there first
 * @param logDirectory where logs go; when it cannot be made, output goes to the console only
 * @param prefix what stands before a process's lines on the console
 * @param environment what processes inherit
 * @param secrets what no file and no other launcher may be shown
 * @param mask hides it in texts
 * @param others the other launchers of the job
 * @param progress how often lines tell what is waited for
 * @param patience how long other tasks may end by themselves when one has failed; zero: they are stopped at once
 * @param checkpointSignal what ranks get first when the job is stopped, without SIG; empty: they get TERM at once
 * @param faults which ranks are killed, in a simulation
 * @param resets what the platform says of the cards that ranks run on
 */
public record RunSettings(
        String run,
        Optional<RunIdentity> identity,
        Optional<FileNames> names,
        boolean isAgain,
        boolean mayBeFollowed,
        String node,
        List<String> command,
        Instant startedAt,
        Duration grace,
        boolean stopsAll,
        int codeAfterTerm,
        Optional<Path> terminationLog,
        Duration inputTimeout,
        Path logDirectory,
        Function<ProcessSpec, String> prefix,
        Map<String, String> environment,
        Secrets secrets,
        UnaryOperator<String> mask,
        Others others,
        Duration progress,
        Duration patience,
        Optional<String> checkpointSignal,
        List<Fault> faults,
        Resets resets) {

    /** A text that others may read. */
    String masked(String text) {
        return mask.apply(text);
    }

    /** A run of a launcher that is alone, and whose processes inherit nothing and are stopped at once, until the builder hears otherwise. */
    public static Builder builder(String run, Instant startedAt, Path logDirectory) {
        return new Builder(run, startedAt, logDirectory);
    }

    /** Puts the settings together. */
    public static final class Builder {

        private final String run;
        private final Instant startedAt;
        private final Path logDirectory;
        private Duration grace = Duration.ZERO;
        private boolean stopsAll;
        private int codeAfterTerm = ExitCode.ofSignal(SignalNames.TERM);
        private Optional<Path> terminationLog = Optional.empty();
        private Duration inputTimeout = Duration.ZERO;
        private Function<ProcessSpec, String> prefix = process -> "";
        private Map<String, String> environment = Map.of();
        private Secrets secrets = new Secrets(List.of());
        private List<String> command = List.of();
        private Others others = Others.NONE;
        private Duration progress = Duration.ofSeconds(30);
        private Duration patience = Duration.ZERO;
        private Optional<RunIdentity> identity = Optional.empty();
        private Optional<String> checkpointSignal = Optional.empty();
        private Optional<FileNames> names = Optional.empty();
        private boolean isAgain;
        private boolean mayBeFollowed;
        private String node = "";
        private List<Fault> faults = List.of();
        private Resets resets = Resets.NONE;

        private Builder(String run, Instant startedAt, Path logDirectory) {
            this.run = run;
            this.startedAt = startedAt;
            this.logDirectory = logDirectory;
        }

        /** How long processes may take to end, between TERM and KILL. */
        public Builder grace(Duration length) {
            grace = length;
            return this;
        }

        /** Whether SIGTERM goes to all processes at once. */
        public Builder stopsAll(boolean doesSo) {
            stopsAll = doesSo;
            return this;
        }

        /** How the end is told when this JVM has died. */
        public Builder lastWords(int afterTerm, Optional<Path> log) {
            codeAfterTerm = afterTerm;
            terminationLog = log;
            return this;
        }

        public Builder inputTimeout(Duration length) {
            inputTimeout = length;
            return this;
        }

        public Builder prefix(Function<ProcessSpec, String> ofLines) {
            prefix = ofLines;
            return this;
        }

        public Builder environment(Map<String, String> inherited) {
            environment = inherited;
            return this;
        }

        /** What is secret, also of what stands in the job's command. */
        public Builder secrets(Secrets hidden, List<String> job) {
            secrets = hidden;
            command = job;
            return this;
        }

        public Builder others(Others launchers) {
            others = launchers;
            return this;
        }

        /** How often lines tell what is waited for. */
        public Builder progress(Duration period) {
            progress = period;
            return this;
        }

        /** How long tasks have to end by themselves when one of them has failed. */
        public Builder patience(Duration length) {
            patience = length;
            return this;
        }

        /** What lets ranks save what they have, some time before they get TERM. */
        public Builder checkpointSignal(Optional<String> name) {
            checkpointSignal = name;
            return this;
        }

        /**
         * Which run of which job it is, so that it minds others of the same.
         *
         * @param kept the names of its files
         */
        public Builder identity(RunIdentity ofRun, FileNames kept) {
            identity = Optional.of(ofRun);
            names = Optional.of(kept);
            return this;
        }

        /** Whether it follows another run of the same launcher. */
        public Builder again(boolean isOne) {
            isAgain = isOne;
            return this;
        }

        /** Whether another run of the same launcher may follow, so that services are kept for it. */
        public Builder followed(boolean mayBe) {
            mayBeFollowed = mayBe;
            return this;
        }

        /** Which node this is, for users. */
        public Builder node(String name) {
            node = name;
            return this;
        }

        /** Which ranks are killed, in a simulation. */
        public Builder faults(List<Fault> ofRun) {
            faults = ofRun;
            return this;
        }

        /** What the platform says of the cards that ranks run on. */
        public Builder resets(Resets platform) {
            resets = platform;
            return this;
        }

        public RunSettings build() {
            return new RunSettings(
                    run,
                    identity,
                    names,
                    isAgain,
                    mayBeFollowed,
                    node,
                    command,
                    startedAt,
                    grace,
                    stopsAll,
                    codeAfterTerm,
                    terminationLog,
                    inputTimeout,
                    logDirectory,
                    prefix,
                    environment,
                    secrets,
                    secrets.mask(environment, command),
                    others,
                    progress,
                    patience,
                    checkpointSignal,
                    faults,
                    resets);
        }
    }
}
