package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A container of a Volcano job of MindX DL, whose controller writes a rank table for the job's Ascend cards. */
public final class MindXDl extends VolcanoJob {

    static final String NAME = "mindx-dl";

    /** The part of {@code TERMINATION_GRACE_PERIOD_SECONDS} that the launcher keeps: to end, and for the platform to notice its end. */
    public static final Duration MARGIN = Duration.ofSeconds(5);

    /** Where hccl-controller's table is mounted, and the directory in which ascend-operator has one for each job. */
    static final String TABLE = "/user/serverid/devindex/config/hccl.json";

    static final String OPERATOR_TABLES = "/user/mindx-dl/ranktable";
    /** The name of a job's table below {@link #OPERATOR_TABLES} and the job. */
    static final String OPERATOR_TABLE = "/hccl.json";

    /** Mounted if the job wants its processes recovered. */
    private static final String RESET_DIRECTORY = "/user/restore/reset";
    /** Where the controller lists ranks whose cards have faults; there may be no list before the first fault. */
    private static final String RESETS = RESET_DIRECTORY + "/config/reset.json";

    /** The address of the container's host. The job's manifest must ask for this variable. */
    static final String ADDRESS = "XDL_IP";

    private static final String FRAMEWORK = "framework";
    private static final String PERIOD = "TERMINATION_GRACE_PERIOD_SECONDS";

    private static final int LONGEST_PERIOD_SECONDS = 7 * 24 * 3600;

    /** {@code JOB-TASK-INDEX}. */
    private static final Pattern POD_END = Pattern.compile("(-[a-z0-9]+)+-[0-9]{1,6}");

    private static final Pattern JOB = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

    MindXDl(EvidenceReader evidence) {
        super(evidence);
    }

    /** Hides the acjob's variables if a rank table boots it: with them MindSpore looks for a scheduler, and RANK counts containers. */
    @Override
    List<String> notForProcesses(List<String> ofAcJob) {
        return evidence.isSet(AcJob.TASK) && !evidence.isOfARank() ? ofAcJob : List.of();
    }

    private PlatformContract contract(PlatformContract known) {
        List<String> local = new ArrayList<>(known.localVariables());
        podVariable().map(OptionValue::origin).ifPresent(local::add);
        return known.withRankTable(table().orElse(TABLE)).withLocalVariables(local);
    }

    @Override
    Optional<String> sign() {
        if (evidence.isSet(ADDRESS)) {
            return Optional.of("set: " + ADDRESS);
        }
        List<String> tables = evidence.source().exists(TABLE) ? List.of(TABLE) : operatorTables(evidence);
        return tables.isEmpty() ? Optional.empty() : Optional.of("there is: " + String.join(", ", tables));
    }

    @Override
    void readAll() {
        super.readAll();
        setContract(this::contract);
        address(() -> evidence.host(ADDRESS));
        option(OptionTable.GRACE, () -> grace(evidence));
        option(
                FRAMEWORK,
                () -> evidence.sourced(FRAMEWORK)
                        .map(told -> new OptionValue(told.value().toLowerCase(Locale.ROOT), FRAMEWORK)));
        if (evidence.source().exists(RESET_DIRECTORY)) {
            option(OptionTable.RESET_FILE, () -> Optional.of(new OptionValue(RESETS, "platform " + NAME)));
        }
        warning(warning());
    }

    /** Engines that read the rank table get the nodes from it. The others get them from Volcano, if it tells them. */
    @Override
    boolean isByVolcano() {
        return !evidence.engineReadsTable();
    }

    /** MindX DL jobs have a variable whose name is the job's name, and whose value is the container's name. */
    @Override
    Optional<OptionValue> jobId() {
        return super.jobId().or(this::podVariable).or(() -> evidence.safeName(AcJob.TASK, "a job id"));
    }

    /** The container's terminationGracePeriodSeconds less a margin. Users of MindX DL set it as a variable for their scripts. */
    static Optional<OptionValue> grace(EvidenceReader evidence) {
        return evidence.integer(PERIOD, 0, LONGEST_PERIOD_SECONDS)
                .map(period -> period - MARGIN.toSeconds())
                .map(seconds -> new OptionValue(Math.max(1, seconds) + "s", PERIOD));
    }

    private Optional<String> warning() {
        List<String> tables = operatorTables(evidence);
        return tables.size() > 1 && table().isEmpty()
                ? Optional.of("there are " + tables.size() + " rank tables below " + OPERATOR_TABLES
                        + ", and none is of a job that this container is known to be of; waiting for " + TABLE
                        + ". --rank-table FILE names the job's")
                : Optional.empty();
    }

    /** The job's rank table, if it exists already. */
    private Optional<String> table() {
        if (evidence.source().exists(TABLE)) {
            return Optional.of(TABLE);
        }
        List<String> tables = operatorTables(evidence);
        if (tables.size() == 1) {
            return Optional.of(tables.get(0));
        }
        Optional<String> job = jobId().map(id -> "." + id.value() + OPERATOR_TABLE);
        return tables.stream()
                .filter(path -> job.isPresent() && path.endsWith(job.get()))
                .findFirst();
    }

    static List<String> operatorTables(EvidenceReader evidence) {
        return evidence.source().names(OPERATOR_TABLES).stream()
                .map(job -> OPERATOR_TABLES + "/" + job + OPERATOR_TABLE)
                .filter(evidence.source()::exists)
                .toList();
    }

    private Optional<OptionValue> podVariable() {
        for (Map.Entry<String, String> variable :
                evidence.source().environment().entrySet()) {
            String job = variable.getKey();
            String pod = variable.getValue();
            boolean isPod = JOB.matcher(job).matches()
                    && pod.startsWith(job)
                    && POD_END.matcher(pod.substring(job.length())).matches();
            if (isPod) {
                return Optional.of(new OptionValue(EvidenceReader.safeName(job, job, "a job's name"), job));
            }
        }
        return Optional.empty();
    }
}
