package dev.muster.engine.tensorflow;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.Optional;

/** The lists of addresses that options or the platform give. ModelArts sets TF_PS_HOSTS and TF_WORKER_HOSTS. */
final class GivenLists {

    static final String PS_VARIABLE = "TF_PS_HOSTS";
    static final String WORKER_VARIABLE = "TF_WORKER_HOSTS";

    private GivenLists() {}

    /**
     * The cluster that the lists name; empty when there is none.
     *
     * @throws PlanException when a list is wrong, or is missing beside the other
     */
    static Optional<Cluster> read(JobSpec job, Kind kind) throws PlanException {
        Optional<OptionValue> ps = source(job, Wishes.PS_HOSTS, PS_VARIABLE);
        Optional<OptionValue> workers = source(job, Wishes.WORKER_HOSTS, WORKER_VARIABLE);
        if (ps.isEmpty() && workers.isEmpty()) {
            return Optional.empty();
        }
        if (workers.isEmpty()) {
            throw missing(ps, WORKER_VARIABLE, Wishes.WORKER_HOSTS);
        }
        if (ps.isEmpty() && kind.hasPs()) {
            throw missing(workers, PS_VARIABLE, Wishes.PS_HOSTS);
        }
        Cluster cluster = new Cluster(
                ps.isPresent() ? AddressList.read(ps.get()) : AddressList.NONE, AddressList.read(workers.get()));
        return Optional.of(cluster.checked());
    }

    private static Optional<OptionValue> source(JobSpec job, String option, String variable) {
        Optional<OptionValue> given = job.option(option);
        return given.isPresent() ? given : job.variable(variable);
    }

    private static PlanException missing(Optional<OptionValue> other, String variable, String option) {
        OptionValue there = other.orElseThrow();
        return PlanException.ofValue(
                there,
                there.origin() + " is given, but neither -o " + option + " nor " + variable
                        + ": the job's other half is unknown. Give both lists, or none");
    }
}
