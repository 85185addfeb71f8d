package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job that the platform describes by {@code TF_CONFIG}, as Kubeflow's TFJob and Volcano's tensorflow plugin do. Each container has one
 * role, and the platform tells the addresses of all.
 *
 * @param cluster the processes that TF_CONFIG names
 * @param own the process of this container; an evaluator need not be in the cluster
 * @param isWhole whether it names all processes of the job. If workers may come and go, it names only this worker and the ps
 */
record GivenConfig(Cluster cluster, Member own, boolean isWhole) {

    /** The platform's job; empty if the platform gives none, or if options give lists, which win. */
    static Optional<GivenConfig> of(JobSpec job, Node node) throws PlanException {
        boolean isTold = job.platform().variables().contains(TfConfig.VARIABLE)
                && !node.hostsByRole().isEmpty()
                && node.hostsByRole().values().stream()
                        .flatMap(List::stream)
                        .allMatch(host -> host.port().isPresent());
        boolean isOverruled = job.option(Options.PS_HOSTS).isPresent()
                || job.option(Options.WORKER_HOSTS).isPresent();
        Optional<Role> role = node.role().flatMap(Role::of);
        if (!isTold || isOverruled || role.isEmpty()) {
            return Optional.empty();
        }
        Member own = new Member(role.get(), node.index().orElse(0));
        Map<Role, AddressList> lists = new EnumMap<>(Role.class);
        node.hostsByRole()
                .forEach((word, hosts) -> Role.of(word)
                        .ifPresent(known -> lists.put(known, addresses(hosts, firstIndex(own, known, hosts)))));
        GivenConfig config =
                new GivenConfig(new Cluster(lists), own, node.elastic().isEmpty());
        config.check();
        return Optional.of(config);
    }

    /** The first index of a role's hosts. If processes may come and go, the container's own role has only its own host. */
    private static int firstIndex(Member own, Role role, List<Host> hosts) {
        return role == own.role() && hosts.size() == 1 ? own.index() : 0;
    }

    private static AddressList addresses(List<Host> hosts, int first) {
        SortedMap<Integer, Endpoint> byIndex = new TreeMap<>();
        for (Host host : hosts) {
            byIndex.put(
                    first + byIndex.size(),
                    Endpoint.fixed(host.name(), host.port().getAsInt()));
        }
        return new AddressList(byIndex, TfConfig.VARIABLE);
    }

    private static PlanException wrong(String problem) {
        return PlanException.configuration(TfConfig.VARIABLE + ", " + problem
                + ". Correct it, or give --platform none where nobody else belongs to this job");
    }

    private void check() throws PlanException {
        int chiefs = cluster.list(Role.CHIEF).size() + cluster.list(Role.MASTER).size();
        if (chiefs > 1) {
            throw wrong("/cluster has " + chiefs + " chiefs or masters; there can be one");
        }
        if (isWhole && chiefs == 0 && cluster.workers().isEmpty()) {
            throw wrong("/cluster has " + Messages.counts(cluster)
                    + ", but no chief and no worker: nobody would train, or end the job");
        }
        if (!cluster.has(own) && own.role() != Role.EVALUATOR) {
            throw wrong("/task says that this is " + own.role().word() + " " + own.index()
                    + ", which is not in /cluster: it has " + Messages.counts(cluster));
        }
        cluster.checked();
    }

    /** The kind of script by its processes: with a chief, else with ps (TensorFlow 1), else with workers only. */
    Strategy strategy() {
        if (cluster.chief().isPresent()) {
            return Strategy.CHIEF;
        }
        return cluster.ps().isEmpty() ? Strategy.WORKERS : Strategy.PS_ENV;
    }

    NodeAssignment assignment() {
        return new NodeAssignment(cluster, strategy(), true, List.of(own), isWhole);
    }

    /** The known number of containers of the job. If not all are known, it is at least 2. */
    int containers() {
        int known = cluster.members().size() + (cluster.has(own) ? 0 : 1);
        return isWhole ? known : Math.max(2, known);
    }
}
