package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The cluster that was made last, which all nodes of a job have in common: the plans of all of them ask for it. */
final class KnownClusters {

    private volatile @Nullable Entry last;

    /** The cluster that lists name; empty where there are none. */
    Optional<Cluster> given(JobSpec job, Kind kind) throws PlanException {
        Optional<OptionValue> ps = GivenLists.ps(job);
        Optional<OptionValue> workers = GivenLists.workers(job);
        if (ps.isEmpty() && workers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(of(new Given(kind, ps, workers), () -> GivenLists.read(ps, workers, kind)));
    }

    /**
     * The cluster of a job that nobody gives lists.
     *
     * @param isRole whether every process has a container of its own
     */
    Cluster computed(JobSpec job, Node node, Kind kind, boolean isRole) throws PlanException {
        Computed key =
                new Computed(kind, isRole, job.id(), job.idIsShared(), node.count(), node.hosts(), node.hostsByRole());
        ComputedLists lists = new ComputedLists(job, node, kind);
        return of(key, () -> isRole ? lists.forRoles() : lists.forNodes());
    }

    private Cluster of(Object key, Maker maker) throws PlanException {
        Entry known = last;
        if (known != null && known.key().equals(key)) {
            return known.cluster();
        }
        Cluster cluster = maker.make();
        last = new Entry(key, cluster);
        return cluster;
    }

    private record Entry(Object key, Cluster cluster) {}

    private record Given(Kind kind, Optional<OptionValue> ps, Optional<OptionValue> workers) {}

    private record Computed(
            Kind kind,
            boolean isRole,
            String id,
            boolean idIsShared,
            OptionalInt count,
            List<Host> hosts,
            Map<String, List<Host>> hostsByRole) {}

    private interface Maker {
        Cluster make() throws PlanException;
    }
}
