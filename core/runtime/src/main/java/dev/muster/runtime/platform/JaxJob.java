package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a JAXJob of Kubeflow's training operator: one process in each of its workers. No engine of ours boots JAX, but others
 * find here where they are, and its scripts keep their variables.
 */
final class JaxJob {

    private static final String NAME = "jaxjob";
    private static final String ADDRESS = "COORDINATOR_ADDRESS";
    private static final String PORT = "COORDINATOR_PORT";
    private static final String COUNT = "NUM_PROCESSES";
    private static final String INDEX = "PROCESS_ID";
    private static final String WORKER = "worker";

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Kubeflow JAXJob (training-operator)", List.of(ADDRESS, PORT, COUNT, INDEX), JaxJob::read);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .variables(ADDRESS, PORT, COUNT, INDEX)
            .localVariables(List.of(INDEX))
            .advice(new PlatformContract.Advice(List.of(INDEX), Optional.empty(), Optional.empty()))
            .build();

    private JaxJob() {}

    private static PlatformFacts read(Evidence evidence) {
        boolean isHere = evidence.isSet(ADDRESS) && evidence.isSet(COUNT) && evidence.isSet(INDEX);
        Optional<String> sign =
                isHere ? Optional.of("set: " + String.join(", ", ADDRESS, COUNT, INDEX)) : Optional.empty();
        return PlatformFacts.on(evidence, CONTRACT, sign)
                .jobId(() -> jobId(evidence))
                .nodes(() -> Optional.of(new OptionValue(Integer.toString(nodes(evidence)), COUNT)))
                .index(() -> Optional.of(new OptionValue(
                        Integer.toString(evidence.wholeNumber(INDEX, 0, OptionTable.MOST_NODES - 1)), INDEX)))
                .role(() -> Optional.of(WORKER))
                .hosts(() -> coordinator(evidence)
                        .map(name -> name.first(nodes(evidence)))
                        .orElse(List.of()))
                // Where the coordinator is not called as the operator calls it, it is still node 0.
                .option(
                        "master-addr",
                        () -> coordinator(evidence).isEmpty()
                                ? Optional.of(new OptionValue(address(evidence), ADDRESS))
                                : Optional.empty())
                .build();
    }

    private static Optional<OptionValue> jobId(Evidence evidence) {
        return coordinator(evidence)
                .flatMap(name -> name.before(WORKER))
                .map(job -> new OptionValue(job, ADDRESS))
                .or(() -> Kubernetes.ofHostName(evidence).flatMap(name -> Kubernetes.job(name.before(WORKER))));
    }

    private static int nodes(Evidence evidence) {
        return evidence.wholeNumber(COUNT, 1, OptionTable.MOST_NODES);
    }

    private static Optional<NumberedName> coordinator(Evidence evidence) {
        return NumberedName.of(address(evidence))
                .filter(name -> name.number() == 0 && name.before(WORKER).isPresent());
    }

    private static String address(Evidence evidence) {
        return Variables.host(ADDRESS, evidence.value(ADDRESS).orElse(""));
    }
}
