package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The lists of addresses of a job whose platform names hosts only. Every node must compute the same, so the ports come from
 * the job's id and the run; they lie in the range from which ModelArts draws them.
 */
final class ComputedLists {

    static final int FIRST_PORT = 5000;
    static final int LAST_PORT = 10000;

    private static final int PORTS = LAST_PORT - FIRST_PORT + 1;
    /** Prime, so that no two of the next thousands of runs have the same: what the one before has left is in nobody's way. */
    private static final int BETWEEN_RUNS = 1009;

    private static final String FROM_ID = "the job's id";
    private static final String THIS_MACHINE = "127.0.0.1";

    private static final String GIVE_LISTS =
            "-o " + Options.PS_HOSTS + "=HOST:PORT,... and -o " + Options.WORKER_HOSTS + "=HOST:PORT,...";

    private final JobSpec job;
    private final Node node;
    private final Strategy kind;

    ComputedLists(JobSpec job, Node node, Strategy kind) {
        this.job = job;
        this.node = node;
        this.kind = kind;
    }

    /** Whole nodes: node i has ps i and worker i. */
    Cluster forNodes() throws PlanException {
        int count = nodes(node);
        if (count == 1) {
            return onThisMachine();
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

    /** Containers of one role each. */
    Cluster forRoles() throws PlanException {
        List<Host> ps = hosts(Role.PS);
        List<Host> workers = hosts(Role.WORKER);
        if (workers.isEmpty()) {
            throw unknown(Role.WORKER, GivenLists.WORKER_VARIABLE);
        }
        if (ps.isEmpty() && kind.hasPs()) {
            throw unknown(Role.PS, GivenLists.PS_VARIABLE);
        }
        return fromHosts(ps, workers);
    }

    /** How many nodes the job has; one where nobody tells. */
    static int nodes(Node node) {
        return node.count().orElse(Math.max(1, node.hosts().size()));
    }

    private List<Host> hosts(Role role) {
        return node.hostsByRole().getOrDefault(role.word(), List.of());
    }

    private Cluster fromHosts(List<Host> ps, List<Host> workers) throws PlanException {
        if (!job.idIsShared()) {
            throw PlanException.configuration("the ports of the job would come from its id, but " + job.id()
                    + " is this launcher's own, and the other nodes have others. Give all nodes the same --job-id ID,"
                    + " or "
                    + GIVE_LISTS);
        }
        // One after the other in a circle, never the same: the two listen side by side on whole nodes.
        long hash = hash(job.id());
        int psOffset = (int) ((hash + (job.run() - 1L) * BETWEEN_RUNS) % PORTS);
        int workerOffset = (int) ((psOffset + 1 + hash / PORTS % (PORTS - 1)) % PORTS);
        return new Cluster(list(ps, FIRST_PORT + psOffset), list(workers, FIRST_PORT + workerOffset)).checked();
    }

    private static AddressList list(List<Host> hosts, int port) {
        return new AddressList(
                hosts.stream().map(host -> Endpoint.fixed(host.name(), port)).toList(), FROM_ID);
    }

    private Cluster onThisMachine() {
        AddressList ps = kind.hasPs() ? drawn(Role.PS) : AddressList.NONE;
        return new Cluster(ps, drawn(Role.WORKER));
    }

    private static AddressList drawn(Role role) {
        return new AddressList(List.of(Endpoint.drawn(THIS_MACHINE, role.word())), "free ports of this machine");
    }

    /** 32 bits, the same in every Java; ids that differ in one character give ports far from each other. */
    private static long hash(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    private static PlanException unknown(Role role, String variable) {
        return PlanException.configuration("this container is one role of the job, but no " + role.word()
                + " of the job is known: neither " + variable + " nor hosts of the role " + role.word()
                + " are there. Give " + GIVE_LISTS + ", or -o " + Options.SHAPE + "=" + Options.NODE
                + " where the node is given whole");
    }
}
