package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.OptionValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A task of a Slurm step. Slurm has nearly the same variables for two things: the job, whose nodes are allocated, and the step, whose tasks
 * srun starts on some of them. A launcher is a task, so the step's variables count. A batch script, or the shell of an allocation, has no
 * step. There nothing runs on the other nodes, so a job can be planned but not started.
 */
final class Slurm extends PlatformReader {

    private static final String NAME = "slurm";

    /** The job's id. Each element of an array has its own. Variables of arrays may belong to an element that submitted this job. */
    private static final List<String> JOB_ID = List.of("SLURM_JOB_ID", "SLURM_JOBID");

    static final String JOB_NODELIST = "SLURM_JOB_NODELIST";
    static final String JOB_NUM_NODES = "SLURM_JOB_NUM_NODES";

    /** How often it was queued again; not set before that. */
    private static final String RESTART_COUNT = "SLURM_RESTART_COUNT";

    /** The number of components of a heterogeneous job, by the new and the old name. */
    private static final List<String> HET_SIZE = List.of("SLURM_HET_SIZE", "SLURM_PACK_SIZE");

    /** The step. */
    static final String STEP_ID = "SLURM_STEP_ID";

    static final String STEP_NODELIST = "SLURM_STEP_NODELIST";
    static final String STEP_NUM_NODES = "SLURM_STEP_NUM_NODES";

    /** This node: its number in the step, its name, the GPUs that it may use. */
    static final String NODE_ID = "SLURM_NODEID";

    private static final String NODE_NAME = "SLURMD_NODENAME";
    private static final String GPUS = "SLURM_GPUS_ON_NODE";

    /** The number of tasks. Outside a step, the last two may be what a script asked for. */
    private static final List<String> TASKS = List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS");

    static final int MOST = 999_999_999;

    private static final List<String> CONFIG = List.of("scontrol", "show", "config");

    /** As users would type it. */
    private static final String CONFIG_COMMAND = String.join(" ", CONFIG);

    /** {@code KillWait = 30 sec}. */
    private static final Pattern KILL_WAIT = Pattern.compile("(?m)^KillWait\\s*=\\s*([0-9]{1,9}) sec");

    /** Between the SIGKILL that Muster sends and Slurm's, so that Muster can say how the job ended. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);
    private static final Duration USUAL_KILL_WAIT = Duration.ofSeconds(30);

    private final SlurmNodes nodes;

    Slurm(EvidenceReader evidence) {
        super(evidence);
        this.nodes = new SlurmNodes(evidence);
    }

    @Override
    Optional<String> sign() {
        return evidence.firstSet(JOB_ID).map(variable -> "set: " + variable);
    }

    @Override
    void readAll() {
        refusal(this::refusal);
        option(OptionTable.JOB_ID, this::jobId);
        refusal(
                OptionTable.JOB_ID.name(),
                () -> Optional.of(JOB_ID.get(0)
                        + " is not set, so this is no job of Slurm's. Give --job-id ID, or --platform none"));
        option(
                OptionTable.NODES,
                () -> Optional.of(
                        EvidenceReader.sourced(isAlone() ? 1 : nodes.names().size(), nodes.listOfAll())));
        option(OptionTable.NODE_INDEX, this::index);
        option(OptionTable.CARDS, () -> evidence.number(GPUS, 0, OptionTable.MOST_CARDS));
        name(() -> evidence.safeName(NODE_NAME, "the name of a node"));
        hosts(() -> isAlone() ? List.of() : EvidenceReader.hosts(nodes.names()));
        if (evidence.option(OptionTable.GRACE.name()).isEmpty()) {
            option(OptionTable.GRACE, () -> killWait().flatMap(Slurm::grace));
        }
        startCounts(List.of(RESTART_COUNT));
        warning(warning());
    }

    /** The resource manager that MPI libraries would find here and use to start processes. */
    static Optional<String> resourceManager(EvidenceReader evidence) {
        return evidence.firstSet(JOB_ID).map(job -> NAME);
    }

    /** Whether this launcher is the only one: outside a step no other launcher can hear of a refusal. */
    private boolean isAlone() {
        return !nodes.isInStep()
                && evidence.source().startsProcesses()
                && nodes.names().size() > 1;
    }

    private Optional<String> refusal() {
        Optional<String> components = evidence.firstSet(HET_SIZE);
        if (components.isPresent()) {
            return components.map(
                    variable -> variable + " is set: this job has several components, and Muster does not know in which"
                            + " order their nodes are. Give --hosts A,B,..., --node-index I and --job-id ID");
        }
        if (nodes.isInStep()) {
            return refusalInStep();
        }
        return sign().isEmpty() || !evidence.source().startsProcesses() ? Optional.empty() : refusalOutsideOfStep();
    }

    /** Refuses a job outside a step: nothing would start launchers on the other nodes. */
    private Optional<String> refusalOutsideOfStep() {
        int count = nodes.names().size();
        if (!evidence.isSet(NODE_NAME)) {
            return Optional.of("this shell belongs to an allocation (" + JOB_NODELIST
                    + "), but is on none of its nodes (" + NODE_NAME + " is not set). Write " + srun(count)
                    + "; --platform none boots this machine");
        }
        return count == 1
                ? Optional.empty()
                : Optional.of("this is the script of a job of " + count + " nodes (" + nodes.listOfAll()
                        + "), which runs on the first of them alone" + nodes.otherStep() + ". Write " + srun(count)
                        + " in it; --nodes 1 boots this node alone");
    }

    /** Refuses a step with several tasks on a node: each launcher starts all processes of its node. */
    private Optional<String> refusalInStep() {
        int count = nodes.names().size();
        return evidence.firstSet(TASKS)
                .map(variable -> evidence.number(variable, 1, MOST).orElseThrow())
                .filter(tasks -> !tasks.value().equals(Integer.toString(count)))
                .map(tasks -> tasks.origin() + "=" + tasks.value() + ", but the step has " + count + " node"
                        + (count == 1 ? "" : "s") + " (" + STEP_NODELIST
                        + "): every node's launcher starts all processes of its node, so there is one task on each."
                        + " Write "
                        + srun(count));
    }

    private static String srun(int count) {
        return "srun --nodes=" + count + " --ntasks=" + count + " --ntasks-per-node=1 muster ...";
    }

    private Optional<OptionValue> jobId() {
        Optional<String> variable = evidence.firstSet(JOB_ID);
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        String origin = variable.get();
        String id = NAME + "-" + evidence.wholeNumber(origin, 1, MOST);
        return Optional.of(
                nodes.isInStep()
                        ? new OptionValue(id + "-" + evidence.wholeNumber(STEP_ID, 0, MOST), origin + ", " + STEP_ID)
                        : new OptionValue(id, origin));
    }

    private Optional<OptionValue> index() {
        if (!nodes.isInStep()) {
            return Optional.of(EvidenceReader.sourced(0, nodes.listOfAll()));
        }
        List<String> names = nodes.names();
        int index = evidence.wholeNumber(NODE_ID, 0, MOST);
        if (index >= names.size()) {
            throw MusterException.configuration(NODE_ID + "=" + index + ", but " + nodes.listOfAll() + " names "
                    + names.size() + " hosts: the nodes are 0.." + (names.size() - 1));
        }
        Optional<String> own = evidence.value(NODE_NAME);
        if (own.isPresent() && !own.get().equals(names.get(index))) {
            throw MusterException.configuration(NODE_ID + "=" + index + " is " + names.get(index) + " by "
                    + nodes.listOfAll()
                    + ", but " + NODE_NAME + "=" + Printable.quote(Shortened.begun(SlurmNodes.MOST_SHOWN, own.get()))
                    + ": nobody knows which node this is. Give --hosts A,B,... and --node-index I");
        }
        return Optional.of(new OptionValue(Integer.toString(index), NODE_ID));
    }

    /** The time between Slurm's SIGTERM and SIGKILL at the end of a job, from its controller; empty: no answer in time. */
    private Optional<Duration> killWait() {
        Matcher line = KILL_WAIT.matcher(evidence.source().output(CONFIG));
        return line.find() ? Optional.of(Duration.ofSeconds(Long.parseLong(line.group(1)))) : Optional.empty();
    }

    private static Optional<OptionValue> grace(Duration killWait) {
        Duration usual = Durations.parse(OptionTable.GRACE.defaultValue().orElseThrow());
        Duration most = killWait.minus(MARGIN);
        Duration grace = most.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : most;
        String origin = "KillWait of " + Durations.format(killWait) + " (" + CONFIG_COMMAND + ")";
        return grace.compareTo(usual) >= 0
                ? Optional.empty()
                : Optional.of(new OptionValue(Durations.format(grace), origin));
    }

    private Optional<String> warning() {
        return evidence.option(OptionTable.GRACE.name())
                .filter(given -> Durations.parse(given.value()).compareTo(USUAL_KILL_WAIT.minus(MARGIN)) > 0)
                .map(given -> given.origin() + "=" + given.value()
                        + ": Slurm sends SIGKILL KillWait after SIGTERM, usually "
                        + Durations.format(USUAL_KILL_WAIT) + ", whatever the grace is. " + CONFIG_COMMAND
                        + " shows it; ask for an earlier signal with sbatch --signal=TERM@SECONDS");
    }
}
