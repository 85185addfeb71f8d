package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Finds the addresses of a job's processes without a TF_CONFIG of the platform: from lists of options or of the platform, else from
 * the platform's hosts. Every node must find the same lists. Computed ports follow from the job's id and the attempt; they are in the
 * range from which ModelArts draws ports.
 */
record ClusterResolver(JobSpec job, Node node, Strategy strategy) {

    /** The variables with lists that ModelArts sets. */
    static final String PS_VARIABLE = "TF_PS_HOSTS";

    static final String WORKER_VARIABLE = "TF_WORKER_HOSTS";

    static final int FIRST_PORT = 5000;
    static final int LAST_PORT = 10000;

    private static final int PORTS = LAST_PORT - FIRST_PORT + 1;
    /** A prime number, so that thousands of attempts have different ports: processes of earlier attempts may still hold theirs. */
    private static final int BETWEEN_RUNS = 1009;

    private static final String GIVE_LISTS =
            "-o " + Options.PS_HOSTS + "=HOST:PORT,... and -o " + Options.WORKER_HOSTS + "=HOST:PORT,...";

    /**
     * The cluster from given lists; empty if no list is given.
     *
     * @throws PlanException when a list is wrong, or when only one of two lists is given
     */
    Optional<Cluster> given() throws PlanException {
        Optional<OptionValue> ps = job.option(Options.PS_HOSTS).or(() -> job.variable(PS_VARIABLE));
        Optional<OptionValue> workers = job.option(Options.WORKER_HOSTS).or(() -> job.variable(WORKER_VARIABLE));
        if (ps.isEmpty() && workers.isEmpty()) {
            return Optional.empty();
        }
        if (workers.isEmpty()) {
            throw missing(ps.orElseThrow(), WORKER_VARIABLE, Options.WORKER_HOSTS);
        }
        if (ps.isEmpty() && strategy.hasPs()) {
            throw missing(workers.get(), PS_VARIABLE, Options.PS_HOSTS);
        }
        AddressList ofPs = ps.isPresent() ? AddressList.read(ps.get()) : AddressList.NONE;
        return Optional.of(new Cluster(ofPs, AddressList.read(workers.get())).checked());
    }

    private static PlanException missing(OptionValue there, String variable, String option) {
        return PlanException.ofValue(
                there,
                there.origin() + " is given, but neither -o " + option + " nor " + variable
                        + ": the job's other half is unknown. Give both lists, or none");
    }

    /** The number of nodes of the job; 1 if it is unknown. */
    int nodes() {
        return node.count().orElse(Math.max(1, node.hosts().size()));
    }

    /** The cluster of a job whose platform names only hosts. */
    Cluster computed(boolean hasRoles) throws PlanException {
        return hasRoles ? forRoles() : forNodes();
    }

    /** The cluster for whole nodes: node i has ps i and worker i. */
    private Cluster forNodes() throws PlanException {
        int count = nodes();
        if (count == 1) {
            return new Cluster(strategy.hasPs() ? drawn(Role.PS) : AddressList.NONE, drawn(Role.WORKER));
        }
        if (node.hosts().size() != count) {
            String known = node.hosts().isEmpty()
                    ? "none of their hosts"
                    : node.hosts().size() + " hosts";
            throw PlanException.configuration("the job has " + count + " nodes, but " + known
                    + " is known. Name them in order with --hosts HOST,HOST,..., or give " + GIVE_LISTS);
        }
        return fromHosts(node.hosts(), node.hosts());
    }

    private static AddressList drawn(Role role) {
        return new AddressList(List.of(Endpoint.drawn("127.0.0.1", role.word())), "free ports of this machine");
    }

    /** The cluster for containers that have one role each. */
    private Cluster forRoles() throws PlanException {
        List<Host> ps = node.hostsByRole().getOrDefault(Role.PS.word(), List.of());
        List<Host> workers = node.hostsByRole().getOrDefault(Role.WORKER.word(), List.of());
        if (workers.isEmpty()) {
            throw unknown(Role.WORKER, WORKER_VARIABLE);
        }
        if (ps.isEmpty() && strategy.hasPs()) {
            throw unknown(Role.PS, PS_VARIABLE);
        }
        return fromHosts(ps, workers);
    }

    private static PlanException unknown(Role role, String variable) {
        return PlanException.configuration("this container is one role of the job, but no " + role.word()
                + " of the job is known: neither " + variable + " nor hosts of the role " + role.word()
                + " are there. Give " + GIVE_LISTS + ", or -o " + Options.SHAPE + "=" + Options.NODE
                + " where the node is given whole");
    }

    private Cluster fromHosts(List<Host> ps, List<Host> workers) throws PlanException {
        if (!job.idIsShared()) {
            throw PlanException.configuration("the ports of the job would come from its id, but " + job.id()
                    + " is this launcher's own, and the other nodes have others. Give all nodes the same --job-id ID,"
                    + " or "
                    + GIVE_LISTS);
        }
        // CRC32 is the same in every Java. Ids that differ in one character give ports far from each other.
        CRC32 crc = new CRC32();
        crc.update(job.id().getBytes(StandardCharsets.UTF_8));
        long hash = crc.getValue();
        // The two offsets are never the same, since a whole node has a ps and a worker.
        int psOffset = (int) ((hash + (job.run() - 1L) * BETWEEN_RUNS) % PORTS);
        int workerOffset = (int) ((psOffset + 1 + hash / PORTS % (PORTS - 1)) % PORTS);
        return new Cluster(list(ps, FIRST_PORT + psOffset), list(workers, FIRST_PORT + workerOffset)).checked();
    }

    private static AddressList list(List<Host> hosts, int port) {
        return new AddressList(
                hosts.stream()
                        .map(host -> Endpoint.fixed(host.name(), host.port().orElse(port)))
                        .toList(),
                "the job's id");
    }
}
