package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A container of a job of Apulis, or of DLWorkspace, its predecessor. A distributed job has ps besides its workers, and all of them run the
 * job's command.
 */
final class Apulis extends PlatformReader {

    private static final String JOB = "DLWS_JOB_ID";
    private static final String ROLE = "DLWS_ROLE_NAME";
    private static final String INDEX = "DLWS_ROLE_IDX";
    private static final List<String> WORKERS = List.of("DLWS_NUM_WORKER", "DLWS_WORKER_NUM");
    private static final String PS_NUMBER = "DLWS_NUM_PS";

    private static final String CARDS = "DLWS_NUM_GPU_PER_WORKER";
    private static final String USER = "DLWS_USER_NAME";
    private static final String NPU = "DLWS_IS_NPU_JOB";
    private static final String SSH_PORT = "DLWS_SD_worker0_SSH_PORT";

    /** {@code master} is the role in a job that is not distributed. */
    private static final List<String> ROLES = List.of("master", WORKER, PS);

    /** The platform writes this file for all distributed jobs. */
    private static final String HOSTFILE = "/job/hostfile";

    private final boolean readsTable;

    Apulis(EvidenceReader evidence) {
        super(evidence);
        this.readsTable = evidence.engineReadsTable();
    }

    @Override
    Optional<String> sign() {
        return evidence.value(JOB).map(job -> "set: " + JOB);
    }

    @Override
    void readAll() {
        table().ifPresent(path -> setContract(known -> known.withRankTable(path)));
        refusal(this::refusal);
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, this::nodes);
        option(OptionTable.NODE_INDEX, this::index);
        option(OptionTable.CARDS, () -> evidence.number(CARDS, 0, OptionTable.MOST_CARDS));
        if (evidence.engineLogsIn() && evidence.isSet(INDEX)) {
            // This name stands in the ssh configuration that the platform writes.
            name(() -> role().map(role -> new OptionValue(role + "-" + ownIndex(), ROLE + " and " + INDEX)));
        }
        address(this::address);
        role(this::role);
        hosts(this::hosts);
        hostsByRole(this::hostsByRole);
        readOptions();
    }

    /** The rank table: for jobs with NPUs the platform writes it once all containers have reported their cards. */
    private Optional<String> table() {
        Optional<String> home = evidence.source().machine().home().or(this::userHome);
        Optional<String> table =
                home.flatMap(directory -> jobId().map(job -> directory + "/.npu/" + job.value() + "/hccl_ms.json"));
        boolean isNpuJob = evidence.value(NPU)
                .filter(value -> !value.equalsIgnoreCase("false") && !value.equals("0"))
                .isPresent();
        return table.filter(path -> isNpuJob || evidence.source().exists(path));
    }

    private Optional<String> userHome() {
        return evidence.safeName(USER, "a user").map(user -> "/home/" + user.value());
    }

    private Optional<String> refusal() {
        boolean canWait =
                evidence.source().engine().isEmpty() || evidence.engineLogsIn() || evidence.engineKnowsRole(PS);
        return canWait || !isPs()
                ? Optional.empty()
                : Optional.of("this container is a ps (" + ROLE + "), and " + evidence.engineName()
                        + " has nothing for it to do. Have it wait while the workers train: if [ \"$" + ROLE
                        + "\" = ps ]; then sleep infinity; else muster ...; fi");
    }

    private Optional<OptionValue> jobId() {
        return evidence.safeName(JOB, "a job id");
    }

    /** The number of workers, since only workers have ranks. If the engine has ps, too: the number of ps and workers. */
    private Optional<OptionValue> nodes() {
        Optional<String> variable = workersVariable();
        if (readsTable || variable.isEmpty() || (isPs() && !hasRoles())) {
            return Optional.empty();
        }
        int ps = hasRoles() ? count(PS_NUMBER) : 0;
        return Optional.of(EvidenceReader.sourced(
                Math.max(1, count(variable.get()) + ps),
                ps == 0 ? variable.get() : variable.get() + " and " + PS_NUMBER));
    }

    private Optional<OptionValue> index() {
        return readsTable || (isPs() && !hasRoles()) ? Optional.empty() : evidence.index(INDEX);
    }

    private Optional<OptionValue> address() {
        Optional<String> role = role();
        if (role.isEmpty() || !evidence.isSet(INDEX)) {
            return Optional.empty();
        }
        String prefix = "DLWS_SD_" + role.get() + ownIndex();
        return evidence.host(prefix + "_HOST_IP").or(() -> evidence.host(prefix + "_IP"));
    }

    private Optional<String> role() {
        Optional<String> role = evidence.safeName(ROLE, "a role").map(OptionValue::value);
        if (role.isPresent() && !ROLES.contains(role.get())) {
            throw MusterException.configuration(ROLE + ": " + Printable.quote(role.get()) + " is not one of "
                    + String.join(", ", ROLES) + ". Correct it, or give --nodes N, --node-index I and --platform none");
        }
        return role;
    }

    private List<Host> hosts() {
        String role = hasRoles() ? role().orElse(WORKER) : WORKER;
        return readsTable ? List.of() : hosts(role, role.equals(PS) ? count(PS_NUMBER) : workers());
    }

    private Map<String, List<Host>> hostsByRole() {
        List<Host> ps = hosts(PS, count(PS_NUMBER));
        boolean isWanted = evidence.engineLogsIn() || hasRoles();
        return ps.isEmpty() || !isWanted ? Map.of() : Map.of(PS, ps, WORKER, hosts(WORKER, workers()));
    }

    /** Every container runs sshd already. If there are several, the platform writes a hostfile. */
    private void readOptions() {
        option("sshd", () -> hostfile().map(file -> sshd()));
        option("hostfile", this::hostfile);
        option("sshd-port", this::port);
        option("processes", () -> evidence.oncePerNode(JOB));
    }

    private Optional<OptionValue> hostfile() {
        Optional<String> file = userHome().map(home -> home + "/ib_config");
        boolean isThere = file.filter(evidence.source()::exists).isPresent();
        if (!isThere && evidence.source().exists(HOSTFILE)) {
            return Optional.of(new OptionValue(HOSTFILE, JOB));
        }
        return file.filter(path -> isThere || isDistributed()).map(path -> new OptionValue(path, USER));
    }

    /** All containers of a distributed job run the job's command. */
    private OptionValue sshd() {
        return role().filter(role -> isDistributed()).isPresent()
                ? new OptionValue("platform", ROLE)
                : new OptionValue("none", JOB);
    }

    private boolean isDistributed() {
        return workers() > 1 || count(PS_NUMBER) > 0;
    }

    private boolean isPs() {
        return role().filter(PS::equals).isPresent();
    }

    /** Whether the job has ps, and the engine has the role ps. */
    private boolean hasRoles() {
        return evidence.engineKnowsRole(PS) && count(PS_NUMBER) > 0;
    }

    private int workers() {
        return workersVariable().map(this::count).orElse(1);
    }

    /** If both variables are set, the one with the greater number: with too small a number a node would train alone. */
    private Optional<String> workersVariable() {
        return WORKERS.stream().filter(evidence::isSet).max(Comparator.comparingInt(this::count));
    }

    private int count(String variable) {
        return evidence.integer(variable, 0, OptionTable.MOST_NODES).orElse(0);
    }

    private int ownIndex() {
        return evidence.wholeNumber(INDEX, 0, OptionTable.MOST_NODES - 1);
    }

    /** All hosts of a role, or none: gaps would shift the indices. Engines that log in get the names of the ssh configuration. */
    private List<Host> hosts(String role, int count) {
        List<Host> hosts = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String variable = "DLWS_SD_" + role + i + "_IP";
            Optional<String> ip = evidence.host(variable).map(OptionValue::value);
            if (ip.isPresent()) {
                hosts.add(evidence.engineLogsIn() ? Host.of(role + "-" + i, ip) : Host.of(ip.get(), Optional.empty()));
            } else {
                missing.add(variable);
            }
        }
        if (!hosts.isEmpty() && !missing.isEmpty()) {
            throw MusterException.configuration("of the " + count + " " + role + " of this job some have no address: "
                    + missing.get(0) + " is not set. Correct the variables, or give --hosts A,B,...");
        }
        return hosts;
    }

    /** The port of all workers, as in Apulis' example of horovodrun. Aliases in the ssh configuration have their own ports. */
    private Optional<OptionValue> port() {
        boolean isHorovod = evidence.option("launcher")
                .filter(launcher -> launcher.value().equals("horovodrun"))
                .isPresent();
        return isHorovod ? evidence.number(SSH_PORT, 1, OptionTable.HIGHEST_PORT) : Optional.empty();
    }
}
