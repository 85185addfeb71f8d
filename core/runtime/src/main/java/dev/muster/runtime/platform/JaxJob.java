package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A pod of a JAXJob of Kubeflow's training operator: one process in each of its workers. No engine of ours boots JAX, but others
 * find here where they are, and its scripts keep their variables.
 */
final class JaxJob implements Platform {

    private static final String NAME = "jaxjob";
    private static final String ADDRESS = "COORDINATOR_ADDRESS";
    private static final String PORT = "COORDINATOR_PORT";
    private static final String COUNT = "NUM_PROCESSES";
    private static final String INDEX = "PROCESS_ID";
    private static final String WORKER = "worker";

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Kubeflow JAXJob (training-operator)", List.of(ADDRESS, PORT, COUNT, INDEX), JaxJob::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .variables(ADDRESS, PORT, COUNT, INDEX)
            .localVariables(List.of(INDEX))
            .advice(new PlatformContract.Advice(List.of(INDEX), Optional.empty(), Optional.empty()))
            .build();

    private final Evidence evidence;

    private JaxJob(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        boolean isHere = evidence.isSet(ADDRESS) && evidence.isSet(COUNT) && evidence.isSet(INDEX);
        return isHere ? Optional.of("set: " + String.join(", ", ADDRESS, COUNT, INDEX)) : Optional.empty();
    }

    @Override
    public Optional<OptionValue> jobId() {
        Optional<String> ofAddress = coordinator().flatMap(name -> name.before(WORKER));
        return ofAddress.isPresent()
                ? ofAddress.map(job -> new OptionValue(job, ADDRESS))
                : NumberedName.of(NumberedName.label(evidence.machine().hostName()))
                        .flatMap(name -> name.before(WORKER))
                        .map(job -> new OptionValue(job, Kubernetes.HOST_NAME));
    }

    @Override
    public Optional<Setting> nodes() {
        return Optional.of(Setting.ofPlatform(
                OptionTable.NODES, Variables.number(evidence.environment(), COUNT, 1, OptionTable.MOST_NODES), COUNT));
    }

    @Override
    public Optional<Setting> nodeIndex() {
        return Optional.of(Setting.ofPlatform(
                OptionTable.NODE_INDEX,
                Variables.number(evidence.environment(), INDEX, 0, OptionTable.MOST_NODES - 1),
                INDEX));
    }

    @Override
    public Optional<String> role() {
        return Optional.of(WORKER);
    }

    @Override
    public List<Host> hosts() {
        int count = Integer.parseInt(nodes().orElseThrow().value());
        return coordinator().map(name -> name.first(count)).orElse(List.of());
    }

    /** Where the coordinator is not called as the operator calls it, it is still node 0. */
    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return option.name().equals("master-addr") && coordinator().isEmpty()
                ? Optional.of(Setting.ofPlatform(option, address(), ADDRESS))
                : Optional.empty();
    }

    private Optional<NumberedName> coordinator() {
        return NumberedName.of(address())
                .filter(name -> name.number() == 0 && name.before(WORKER).isPresent());
    }

    private String address() {
        return Variables.host(ADDRESS, evidence.value(ADDRESS).orElse(""));
    }
}
