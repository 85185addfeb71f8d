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
     * The cluster that the lists name; empty where there are none.
     *
     * @throws PlanException when a list is wrong, or is missing beside the other
     */
    static Optional<Cluster> read(JobSpec job, Strategy kind) throws PlanException {
        Optional<OptionValue> ps = source(job, Options.PS_HOSTS, PS_VARIABLE);
        Optional<OptionValue> workers = source(job, Options.WORKER_HOSTS, WORKER_VARIABLE);
        if (ps.isEmpty() && workers.isEmpty()) {
            return Optional.empty();
        }
        if (workers.isEmpty()) {
            throw missing(ps, WORKER_VARIABLE, Options.WORKER_HOSTS);
        }
        if (ps.isEmpty() && kind.hasPs()) {
            throw missing(workers, PS_VARIABLE, Options.PS_HOSTS);
        }
        AddressList ofPs = ps.isPresent() ? AddressList.read(ps.get()) : AddressList.NONE;
        return Optional.of(new Cluster(ofPs, AddressList.read(workers.get())).checked());
    }

    private static Optional<OptionValue> source(JobSpec job, String option, String variable) {
        return job.option(option).or(() -> job.variable(variable));
    }

    private static PlanException missing(Optional<OptionValue> other, String variable, String option) {
        OptionValue there = other.orElseThrow();
        return PlanException.ofValue(
                there,
                there.origin() + " is given, but neither -o " + option + " nor " + variable
                        + ": the job's other half is unknown. Give both lists, or none");
    }
}
