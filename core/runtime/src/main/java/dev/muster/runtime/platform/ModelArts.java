package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A container of a ModelArts training job. */
final class ModelArts extends PlatformReader {

    static final String JOB = "MA_VJ_NAME";
    static final String MOUNT_PATH = "MA_MOUNT_PATH";
    static final String INSTANCE = "MA_CURRENT_INSTANCE_NAME";
    static final String HOST_IP = "MA_CURRENT_HOST_IP";
    static final String NUM_HOSTS = "MA_NUM_HOSTS";
    static final String NUM_CARDS = "MA_NUM_GPUS";
    static final String ROLE = "MA_TASK_NAME";

    private static final String NAME = "modelarts";

    private static final List<String> SIGNS = List.of(JOB, MOUNT_PATH, INSTANCE, "MA_JOB_DIR", HOST_IP, "MA_JOB_ID");
    private static final String TASK_INDEX = "MA_TASK_INDEX";
    private static final List<String> INDICES =
            List.of(TASK_INDEX, VolcanoTasks.INDICES.get(0), VolcanoTasks.INDICES.get(1));
    private static final List<String> STARTS = List.of("MA_PROC_START_CNT", "MA_SCHEDULE_CNT");

    private static final String RUN_METHOD = "MA_RUN_METHOD";
    private static final String RUN_METHOD_OPTION = "processes";
    private static final String TORCHRUN = "torchrun";

    private static final String FALLBACK_WORK = "/cache";
    private static final String FALLBACK_LOG = "/tmp/log";

    private final VolcanoTasks tasks;

    ModelArts(EvidenceReader evidence) {
        super(evidence);
        this.tasks = new VolcanoTasks(evidence);
    }

    @Override
    Optional<String> sign() {
        return set(SIGNS.stream().filter(evidence::isSet).toList());
    }

    @Override
    void readAll() {
        refusal(() -> refusalOfRoles().or(this::refusal));
        option(OptionTable.JOB_ID, this::jobId);
        refusal(
                OptionTable.JOB_ID.name(),
                () -> Optional.of(
                        JOB + " is not set or empty. Set it, or give --job-id, or --platform none when this is not"
                                + " ModelArts"));
        option(OptionTable.NODES, this::nodes);
        option(OptionTable.NODE_INDEX, this::index);
        option(OptionTable.CARDS, () -> evidence.number(NUM_CARDS, 0, OptionTable.MOST_CARDS));
        name(() -> evidence.sourced(INSTANCE));
        address(() -> evidence.sourced(HOST_IP));
        role(this::role);
        hosts(this::hosts);
        // Volcano lists the hosts of each task, and the tasks are the roles.
        hostsByRole(tasks::hosts);
        startCounts(STARTS);
        tableDirectory(evidence.value(MOUNT_PATH).map(mount -> mount + "/rank_table"));
        readOptions();
    }

    /** The id has the prefix that the platform's own programs see. The scheduler's job has another one. */
    private Optional<OptionValue> jobId() {
        return evidence.safeName(JOB, "a job name")
                .map(name -> new OptionValue(name.value().replaceFirst("ma-job", "modelarts-job"), JOB));
    }

    private Optional<OptionValue> nodes() {
        return evidence.source().environment().containsKey(NUM_HOSTS)
                ? Optional.of(
                        EvidenceReader.sourced(evidence.wholeNumber(NUM_HOSTS, 1, OptionTable.MOST_NODES), NUM_HOSTS))
                : Optional.empty();
    }

    /** In a job of one node the index may count containers that are not in the job. */
    private Optional<OptionValue> index() {
        Optional<OptionValue> nodes = evidence.userNodes().isPresent() ? Optional.empty() : nodes();
        return nodes.filter(one -> one.value().equals("1"))
                .map(one -> new OptionValue("0", NUM_HOSTS))
                .or(() -> evidence.firstSet(INDICES).flatMap(evidence::index));
    }

    /** Refuses a job with ps if the engine has no such role, or if Volcano does not list this container's role. */
    private Optional<String> refusalOfRoles() {
        Set<String> listed = tasks.names();
        boolean isOfRoles = listed.contains(PS) && !evidence.engineReadsTable();
        if (!isOfRoles || evidence.source().engine().isEmpty()) {
            return Optional.empty();
        }
        String task = role().orElse(WORKER);
        String names = "the job has the tasks " + String.join(", ", listed);
        if (!evidence.engineKnowsRole(PS)) {
            return Optional.of(names + VolcanoJob.unknownRoles(evidence));
        }
        return listed.contains(task.toLowerCase(Locale.ROOT))
                ? Optional.empty()
                : Optional.of(ROLE + "=" + task + ", but " + names + ". Correct it, or give --platform none");
    }

    /** Refuses a job of one node if this role has several. In a job of roles, the number may be that of one role, but never less. */
    private Optional<String> refusal() {
        if (nodes().filter(nodes -> nodes.value().equals("1")).isEmpty()) {
            return Optional.empty();
        }
        String task = role().orElse(WORKER);
        String number = VolcanoTasks.variable(task, VolcanoTasks.NUMBER);
        int listed = ofRole().size();
        Optional<String> more = listed > 1
                ? Optional.of(VolcanoTasks.variable(task, VolcanoTasks.HOSTS) + " names " + listed + " hosts")
                : evidence.integer(number, 0, OptionTable.MOST_NODES)
                        .filter(count -> count > 1)
                        .map(count -> number + "=" + count);
        return more.map(words -> NUM_HOSTS + "=1, but " + words
                + ": each of these hosts would boot a job of its own. Correct one of"
                + " them, or give --nodes N and --node-index I; --nodes 1 when this host is meant alone");
    }

    private List<Host> ofRole() {
        String task = role().orElse(WORKER).toLowerCase(Locale.ROOT);
        return tasks.hosts().getOrDefault(task, List.of());
    }

    private Optional<String> role() {
        return evidence.safeName(ROLE, "a role").map(OptionValue::value);
    }

    /** The hosts as Volcano lists them. An engine that logs in needs the names that the hosts have for themselves. */
    private List<Host> hosts() {
        int count = evidence.userNodes()
                .orElseGet(() ->
                        nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(1));
        if (evidence.engineLogsIn() && count > 1) {
            return loginHosts(count);
        }
        return ofRole().isEmpty() ? tasks.hosts().getOrDefault(WORKER, List.of()) : ofRole();
    }

    /** DNS may learn of these names later than the containers start. */
    private List<Host> loginHosts(int count) {
        String job = evidence.safeName(JOB, "a job name")
                .map(OptionValue::value)
                .orElseThrow(
                        () -> MusterException.configuration(JOB + " is not set or empty, but the names of the job's "
                                + count + " hosts begin with it. Set it, or give --hosts A,B,..."));
        String pods = job + "-" + role().orElse(WORKER);
        return new NumberedName(pods, 0, "." + job).first(count);
    }

    /** Whether the engine can start the processes of a node by this {@code MA_RUN_METHOD}. */
    private boolean isKnown(String method) {
        return method.equals(TORCHRUN) && evidence.engineHasChoice(RUN_METHOD_OPTION, TORCHRUN);
    }

    private void readOptions() {
        option(
                OptionTable.WORKDIR,
                () -> place("/workspace").or(() -> Optional.of(new OptionValue(FALLBACK_WORK, NAME))));
        option(
                OptionTable.LOG_DIR,
                () -> place("/log")
                        .filter(log -> evidence.source().exists(log.value()))
                        .or(() -> Optional.of(new OptionValue(FALLBACK_LOG, NAME))));
        option(
                RUN_METHOD_OPTION,
                () -> evidence.sourced(RUN_METHOD)
                        .filter(method -> isKnown(method.value()))
                        .or(() -> evidence.oncePerNode(NAME)));
    }

    private Optional<OptionValue> place(String below) {
        return evidence.value(MOUNT_PATH).map(mount -> new OptionValue(mount + below, MOUNT_PATH));
    }
}
