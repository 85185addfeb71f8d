package dev.muster.runtime.platform;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A container of a Volcano job of MindX DL, whose controller writes a rank table for the job's Ascend cards. */
final class MindXDl implements Platform {

    static final String NAME = "mindx-dl";

    /** Where hccl-controller's table is mounted, and the directory in which ascend-operator has one for each job. */
    static final String TABLE = "/user/serverid/devindex/config/hccl.json";

    static final String OPERATOR_TABLES = "/user/mindx-dl/ranktable";
    /** The name of a job's table below {@link #OPERATOR_TABLES} and the job. */
    static final String OPERATOR_TABLE = "/hccl.json";

    /** Where the controller lists ranks whose cards have faults. */
    static final String RESETS = "/user/restore/reset/config/reset.json";

    /** What surprises who relies on it. */
    static final String RESCHEDULING =
            "mind-cluster does not reschedule a job all of whose pods fail within seconds of each"
                    + " other; a job that shall be tried again wants maxRetry and a policy of its own";

    /** Pods that end so long after the first have not failed together with it. */
    static final Duration UNLIKE_A_COMMON_END = Duration.ofSeconds(30);

    /** The address of the container's host, which its manifest asks for. */
    static final String ADDRESS = "XDL_IP";

    private static final String FRAMEWORK = "framework";
    private static final String PERIOD = "TERMINATION_GRACE_PERIOD_SECONDS";

    /** What the launcher needs of the time to the platform's KILL after its own. */
    private static final int LONGEST_PERIOD_SECONDS = 7 * 24 * 3600;

    /** By the option {@code rank-table} engines are known that take the nodes from the table, never in the order of containers. */
    private static final String TABLE_OPTION = "rank-table";

    /** {@code JOB-TASK-INDEX}. */
    private static final Pattern POD_END = Pattern.compile("(-[a-z0-9]+)+-[0-9]{1,6}");

    private static final Pattern JOB = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME,
            "MindX DL jobs (vcjob)",
            List.of("XDL_*", FRAMEWORK, PERIOD, "VC_*", "VK_TASK_*", "RANK_TABLE_FILE*"),
            MindXDl::new);

    private final Evidence evidence;
    private final VolcanoJob volcano;

    private MindXDl(Evidence evidence) {
        this.evidence = evidence;
        this.volcano = new VolcanoJob(evidence);
    }

    @Override
    public PlatformContract contract() {
        List<String> local = new ArrayList<>(VolcanoTasks.INDICES);
        local.addAll(List.of("XDL_*", "ASCEND_VISIBLE_DEVICES", "POD_IP"));
        podVariable().map(OptionValue::origin).ifPresent(local::add);
        return PlatformContract.named(NAME)
                .file(WellKnownFile.RANK_TABLE, table().orElse(TABLE))
                .localVariables(local)
                .advice(new PlatformContract.Advice(VolcanoTasks.INDICES, Optional.empty(), Optional.of(ADDRESS)))
                .build();
    }

    @Override
    public Optional<String> sign() {
        if (evidence.isSet(ADDRESS)) {
            return Optional.of("set: " + ADDRESS);
        }
        List<String> tables = evidence.files().isFile(TABLE) ? List.of(TABLE) : operatorTables();
        return tables.isEmpty() ? Optional.empty() : Optional.of("there is: " + String.join(", ", tables));
    }

    /** The table counts the nodes for those engines that read it; the others know them by Volcano, or not at all. */
    @Override
    public Optional<String> refusal() {
        return readsTable() ? Optional.empty() : volcano.refusal();
    }

    /** MindX DL wants a variable in its jobs that bears the job's name, and holds the container's. */
    @Override
    public Optional<OptionValue> jobId() {
        return volcano.id().or(this::podVariable);
    }

    @Override
    public Optional<Setting> nodes() {
        return readsTable() ? Optional.empty() : volcano.nodes();
    }

    @Override
    public Optional<Setting> nodeIndex() {
        return readsTable() ? Optional.empty() : volcano.nodeIndex();
    }

    @Override
    public Optional<OptionValue> nodeAddress() {
        return evidence.value(ADDRESS).map(value -> new OptionValue(Variables.address(ADDRESS, value), ADDRESS));
    }

    @Override
    public Optional<String> role() {
        return volcano.role();
    }

    @Override
    public List<Host> hosts() {
        return readsTable() ? List.of() : volcano.hosts();
    }

    @Override
    public Map<String, List<Host>> hostsByRole() {
        return volcano.hostsByRole();
    }

    @Override
    public Optional<LinkTerms.SharedKey> linkKey() {
        return SshPlugin.key(evidence);
    }

    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        Optional<String> framework = evidence.value(FRAMEWORK);
        if (!option.name().equals(FRAMEWORK) || framework.isEmpty()) {
            return Optional.empty();
        }
        String word = framework.get().toLowerCase(Locale.ROOT);
        Optional<String> problem = option.form().problem(word);
        if (problem.isPresent()) {
            throw MusterException.configuration(FRAMEWORK + ": " + Printable.quote(framework.get()) + " "
                    + problem.get() + ". Correct the variable, or give --" + FRAMEWORK);
        }
        return Optional.of(Setting.ofPlatform(option, word, FRAMEWORK));
    }

    @Override
    public Optional<Setting> grace(Setting usual, Commands commands) {
        return graceOf(evidence);
    }

    /** It is mounted where a job wants its processes recovered. */
    @Override
    public Optional<Setting> resetFile() {
        return evidence.files().isFile(RESETS)
                ? Optional.of(Setting.ofPlatform(OptionTable.RESET_FILE, RESETS, "platform " + NAME))
                : Optional.empty();
    }

    /** See {@link #RESCHEDULING}. */
    @Override
    public Optional<Duration> staysFor() {
        return Optional.of(UNLIKE_A_COMMON_END);
    }

    /** What users of MindX DL tell their scripts of the container's terminationGracePeriodSeconds, less a margin. */
    static Optional<Setting> graceOf(Evidence evidence) {
        if (!evidence.isSet(PERIOD)) {
            return Optional.empty();
        }
        int seconds = evidence.wholeNumber(PERIOD, 0, LONGEST_PERIOD_SECONDS);
        return Optional.of(Setting.ofPlatform(
                OptionTable.GRACE, Math.max(1, seconds - PodGrace.MARGIN.toSeconds()) + "s", PERIOD));
    }

    /** An acjob that somebody boots by its rank table: MindSpore would rather look for a scheduler. */
    @Override
    public List<String> notForProcesses() {
        return evidence.isSet(AcJob.TASK) && !evidence.isOfARank() ? AcJob.OF_MINDSPORE : List.of();
    }

    @Override
    public List<String> warnings() {
        List<String> tables = operatorTables();
        return tables.size() > 1 && table().isEmpty()
                ? List.of("there are " + tables.size() + " rank tables below " + OPERATOR_TABLES
                        + ", and none is of a job that this container is known to be of; waiting for " + TABLE
                        + ". --rank-table FILE names the job's")
                : List.of();
    }

    private boolean readsTable() {
        return evidence.engineHasOption(TABLE_OPTION);
    }

    @Override
    public Optional<String> remark() {
        return Optional.of(RESCHEDULING);
    }

    /** The job's table, where there is one already. */
    private Optional<String> table() {
        if (evidence.files().isFile(TABLE)) {
            return Optional.of(TABLE);
        }
        List<String> tables = operatorTables();
        if (tables.size() == 1) {
            return Optional.of(tables.get(0));
        }
        Optional<String> job = jobId().map(id -> "." + id.value() + OPERATOR_TABLE);
        return tables.stream()
                .filter(path -> job.isPresent() && path.endsWith(job.get()))
                .findFirst();
    }

    private List<String> operatorTables() {
        return evidence.files().names(OPERATOR_TABLES).stream()
                .map(job -> OPERATOR_TABLES + "/" + job + OPERATOR_TABLE)
                .filter(evidence.files()::isFile)
                .toList();
    }

    private Optional<OptionValue> podVariable() {
        for (Map.Entry<String, String> variable :
                evidence.environment().variables().entrySet()) {
            String job = variable.getKey();
            String pod = variable.getValue();
            boolean isPod = JOB.matcher(job).matches()
                    && pod.startsWith(job)
                    && POD_END.matcher(pod.substring(job.length())).matches();
            if (isPod) {
                return Optional.of(new OptionValue(Variables.safeName(job, job, "a job's name"), job));
            }
        }
        return Optional.empty();
    }
}
