package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformContract.WellKnownFile;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A container of a ModelArts training job. */
final class ModelArts implements Platform {

    static final String JOB = "MA_VJ_NAME";
    static final String MOUNT_PATH = "MA_MOUNT_PATH";
    static final String INSTANCE = "MA_CURRENT_INSTANCE_NAME";
    static final String HOST_IP = "MA_CURRENT_HOST_IP";
    static final String NUM_HOSTS = "MA_NUM_HOSTS";
    static final String NUM_CARDS = "MA_NUM_GPUS";
    static final String ROLE = "MA_TASK_NAME";
    static final String WORKER = "worker";

    private static final String NAME = "modelarts";
    /** The only port that ModelArts documents for a job's own rendezvous. */
    private static final int RENDEZVOUS_PORT = 6666;

    private static final List<String> SIGNS = List.of(JOB, MOUNT_PATH, INSTANCE, "MA_JOB_DIR", HOST_IP, "MA_JOB_ID");
    private static final String TASK_INDEX = "MA_TASK_INDEX";
    private static final List<String> INDICES =
            List.of(TASK_INDEX, VolcanoTasks.INDICES.get(0), VolcanoTasks.INDICES.get(1));
    private static final List<String> STARTS = List.of("MA_PROC_START_CNT", "MA_SCHEDULE_CNT");
    private static final String READY_TABLE = "RANK_TABLE_FILE_V_1_0";
    private static final String HOME = "MA_HOME";

    /** What says something about one container only. */
    private static final List<String> LOCAL =
            List.of(HOST_IP, "MA_CURRENT_IP", INSTANCE, TASK_INDEX, STARTS.get(0), INDICES.get(1), INDICES.get(2));

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .rendezvousPort(RENDEZVOUS_PORT)
            .file(WellKnownFile.RANK_TABLE, "/user/config/jobstart_hccl.json")
            .localVariables(LOCAL)
            .advice(new PlatformContract.Advice(INDICES, Optional.of(INSTANCE), Optional.of(HOST_IP)))
            .build();

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME,
            "ModelArts training jobs",
            List.of("MA_*", "VC_*", "VK_TASK_*", "RANK_TABLE_FILE*", "TF_PS_HOSTS", "TF_WORKER_HOSTS"),
            ModelArts::new);

    private static final String RUN_METHOD = "MA_RUN_METHOD";
    private static final String RUN_METHOD_OPTION = "processes";
    private static final String TORCHRUN = "torchrun";

    private static final String FALLBACK_WORK = "/cache";
    private static final String FALLBACK_LOG = "/tmp/log";

    private static final String SSHD_CONFIG_OPTION = "sshd-config";

    private final Evidence evidence;
    private final Environment environment;
    private final VolcanoTasks tasks;

    private ModelArts(Evidence evidence) {
        this.evidence = evidence;
        this.environment = evidence.environment();
        this.tasks = new VolcanoTasks(environment);
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        List<String> seen = new ArrayList<>();
        for (String name : SIGNS) {
            if (isSet(name)) {
                seen.add(name);
            }
        }
        return seen.isEmpty() ? Optional.empty() : Optional.of("set: " + String.join(", ", seen));
    }

    /** The platform's own programs see the id with another prefix than the scheduler's job has. */
    @Override
    public Optional<OptionValue> jobId() {
        Optional<String> name = environment.value(JOB);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String safe = Variables.safeName(JOB, name.get(), "a job name");
        int prefix = safe.indexOf("ma-job");
        String id = prefix < 0 ? safe : safe.substring(0, prefix) + "modelarts-job" + safe.substring(prefix + 6);
        return Optional.of(new OptionValue(id, JOB));
    }

    @Override
    public boolean fixesJobId() {
        return true;
    }

    @Override
    public List<String> startCounts() {
        return STARTS;
    }

    @Override
    public Optional<String> whatIsMissing() {
        List<String> missing = new ArrayList<>();
        missing.add(JOB);
        if (!isSet(INSTANCE) && !isSet(READY_TABLE)) {
            missing.add(INSTANCE + " (needed for a template 2 rank table)");
        }
        String places = isSet(MOUNT_PATH)
                ? ""
                : "; " + MOUNT_PATH + " is not set either, " + FALLBACK_WORK + " and " + FALLBACK_LOG
                        + " stand in for it";
        return Optional.of("missing or empty on ModelArts: " + String.join(", ", missing) + places
                + ". Set them, or give --job-id, or --platform none when this is not ModelArts");
    }

    @Override
    public Optional<Setting> nodes() {
        return environment.variables().containsKey(NUM_HOSTS)
                ? Optional.of(number(OptionTable.NODES, NUM_HOSTS, 1, OptionTable.MOST_NODES))
                : Optional.empty();
    }

    @Override
    public Optional<Setting> nodeIndex() {
        return evidence.firstSet(INDICES)
                .map(name -> number(OptionTable.NODE_INDEX, name, 0, OptionTable.MOST_NODES - 1));
    }

    /** In a job of roles the number of nodes may be that of one role, but never less. */
    @Override
    public Optional<String> refusal() {
        boolean isOne = nodes().filter(nodes -> nodes.value().equals("1")).isPresent();
        Optional<String> others = isOne ? tasks.several(role().orElse(WORKER)) : Optional.empty();
        return others.map(said -> NUM_HOSTS + "=1, but " + said
                + ": each of these hosts would boot a job of its own. Correct one of them, or give --nodes N and --node-index I;"
                + " --nodes 1 when this host is meant alone");
    }

    @Override
    public boolean numbersOnlyNodes() {
        return false;
    }

    /** Flavours without accelerators have 0, and so have some that do have them: nobody said anything then. */
    @Override
    public Optional<Setting> cards() {
        if (!isSet(NUM_CARDS)) {
            return Optional.empty();
        }
        Setting cards = number(OptionTable.CARDS, NUM_CARDS, 0, OptionTable.MOST_CARDS);
        return cards.value().equals("0") ? Optional.empty() : Optional.of(cards);
    }

    @Override
    public Optional<OptionValue> nodeName() {
        return variable(INSTANCE);
    }

    @Override
    public Optional<OptionValue> nodeAddress() {
        return variable(HOST_IP);
    }

    @Override
    public Optional<String> role() {
        Optional<String> role = environment.value(ROLE);
        if (role.isPresent()) {
            Variables.safeName(ROLE, role.get(), "a role");
        }
        return role;
    }

    /** Volcano names the hosts of each of a job's tasks, which are its roles. */
    @Override
    public Map<String, List<Host>> hostsByRole() {
        return tasks.hosts();
    }

    @Override
    public List<Host> hosts() {
        for (String task : List.of(role().orElse(WORKER), WORKER)) {
            Optional<List<Host>> hosts = tasks.hostsOf(task);
            if (hosts.isPresent()) {
                return hosts.get();
            }
        }
        return List.of();
    }

    @Override
    public List<Host> loginHosts(int count) {
        return new ModelArtsHosts(environment).inOrder(count);
    }

    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        if (option.name().equals(SSHD_CONFIG_OPTION)) {
            return environment.value(HOME).map(home -> Setting.ofPlatform(option, home + "/etc/ssh/sshd_config", HOME));
        }
        return runMethod(option, warn);
    }

    /** {@code MA_RUN_METHOD} says by what the processes of a node are started. */
    private Optional<Setting> runMethod(Option option, Consumer<String> warn) {
        Optional<String> method = environment.value(RUN_METHOD);
        if (method.isEmpty() || !option.name().equals(RUN_METHOD_OPTION)) {
            return Optional.empty();
        }
        if (method.get().equals(TORCHRUN) && option.form().problem(TORCHRUN).isEmpty()) {
            return Optional.of(Setting.ofPlatform(option, TORCHRUN, RUN_METHOD));
        }
        warn.accept(RUN_METHOD + "=" + Printable.quote(method.get())
                + " is ignored: this engine knows only " + TORCHRUN + " there. --" + RUN_METHOD_OPTION
                + " chooses what a node starts");
        return Optional.empty();
    }

    @Override
    public Optional<ContractPlaces> places() {
        return Optional.of(mount().map(this::placesBelow).orElseGet(ModelArts::fallbackPlaces));
    }

    private static ContractPlaces fallbackPlaces() {
        return new ContractPlaces(
                Setting.ofPlatform(OptionTable.WORKDIR, FALLBACK_WORK, NAME),
                true,
                Setting.ofPlatform(OptionTable.LOG_DIR, FALLBACK_LOG, NAME),
                Optional.empty());
    }

    private ContractPlaces placesBelow(Path mount) {
        Path log = mount.resolve("log");
        return new ContractPlaces(
                Setting.ofPlatform(
                        OptionTable.WORKDIR, mount.resolve("workspace").toString(), MOUNT_PATH),
                true,
                Files.isDirectory(log)
                        ? Setting.ofPlatform(OptionTable.LOG_DIR, log.toString(), MOUNT_PATH)
                        : Setting.ofPlatform(OptionTable.LOG_DIR, FALLBACK_LOG, NAME),
                Optional.of(mount.resolve("rank_table").toString()));
    }

    private Optional<Path> mount() {
        Optional<String> value = environment.value(MOUNT_PATH);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(evidence.world().directory().resolve(value.get()).normalize());
        } catch (InvalidPathException cause) {
            throw MusterException.configuration(
                    MOUNT_PATH + ": " + Printable.quote(value.get()) + " cannot be a path here: " + cause.getReason());
        }
    }

    private Setting number(Option option, String name, int minimum, int maximum) {
        return Setting.ofPlatform(option, Variables.number(environment, name, minimum, maximum), name);
    }

    private Optional<OptionValue> variable(String name) {
        Optional<String> value = environment.value(name);
        return value.isPresent() ? Optional.of(new OptionValue(value.get(), name)) : Optional.empty();
    }

    private boolean isSet(String name) {
        return environment.value(name).isPresent();
    }
}
