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

    static Optional<OptionValue> ps(JobSpec job) {
        return source(job, Wishes.PS_HOSTS, PS_VARIABLE);
    }

    static Optional<OptionValue> workers(JobSpec job) {
        return source(job, Wishes.WORKER_HOSTS, WORKER_VARIABLE);
    }

    /**
     * The cluster that the lists name, of which there is one at least.
     *
     * @throws PlanException when a list is wrong, or is missing beside the other
     */
    static Cluster read(Optional<OptionValue> ps, Optional<OptionValue> workers, Kind kind) throws PlanException {
        if (workers.isEmpty()) {
            throw missing(ps, WORKER_VARIABLE, Wishes.WORKER_HOSTS);
        }
        if (ps.isEmpty() && kind.hasPs()) {
            throw missing(workers, PS_VARIABLE, Wishes.PS_HOSTS);
        }
        return new Cluster(
                        ps.isPresent() ? AddressList.read(ps.get()) : AddressList.NONE, AddressList.read(workers.get()))
                .checked();
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
