package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a JAXJob of Kubeflow's training operator: one process in each of its workers. No engine of ours boots JAX, but others
 * find here where they are, and its scripts keep their variables.
 */
final class JaxJob extends PlatformReader {

    private static final String NAME = "jaxjob";
    private static final String ADDRESS = "COORDINATOR_ADDRESS";
    private static final String PORT = "COORDINATOR_PORT";
    private static final String COUNT = "NUM_PROCESSES";
    private static final String INDEX = "PROCESS_ID";
    private static final String WORKER = "worker";

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Kubeflow JAXJob (training-operator)", List.of(ADDRESS, PORT, COUNT, INDEX), JaxJob::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .withVariables(ADDRESS, PORT, COUNT, INDEX)
            .withLocalVariables(List.of(INDEX))
            .withIndexVariables(List.of(INDEX));

    private JaxJob(Evidence evidence) {
        super(evidence, CONTRACT);
    }

    @Override
    Optional<String> sign() {
        List<String> all = List.of(ADDRESS, COUNT, INDEX);
        return set(all).filter(any -> all.stream().allMatch(evidence::isSet));
    }

    @Override
    Optional<OptionValue> jobId() {
        return coordinator()
                .flatMap(name -> name.before(WORKER))
                .map(job -> new OptionValue(job, ADDRESS))
                .or(() -> Kubernetes.ofHostName(evidence).flatMap(name -> Kubernetes.job(name.before(WORKER))));
    }

    @Override
    Optional<OptionValue> nodes() {
        return Optional.of(Variables.told(evidence.wholeNumber(COUNT, 1, OptionTable.MOST_NODES), COUNT));
    }

    @Override
    Optional<OptionValue> index() {
        return evidence.index(INDEX);
    }

    @Override
    Optional<String> role() {
        return Optional.of(WORKER);
    }

    @Override
    List<Host> hosts() {
        return coordinator()
                .map(name -> name.first(evidence.wholeNumber(COUNT, 1, OptionTable.MOST_NODES)))
                .orElse(List.of());
    }

    /** Where the coordinator is not called as the operator calls it, it is still node 0. */
    @Override
    Optional<OptionValue> option(String name) {
        return name.equals(TorchJob.ADDRESS_OPTION) && coordinator().isEmpty()
                ? evidence.host(ADDRESS)
                : super.option(name);
    }

    private Optional<NumberedName> coordinator() {
        return evidence.host(ADDRESS)
                .flatMap(address -> NumberedName.of(address.value()))
                .filter(name -> name.number() == 0 && name.before(WORKER).isPresent());
    }
}
