package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one platform tells the containers of its jobs. It says only what it knows: nothing where a method is not overridden. All but
 * the sign is asked only of the platform that we are on, and only what is wanted. So a variable that is wrong matters only where its
 * word is needed: each question throws a {@link dev.muster.runtime.errors.MusterException} then.
 */
abstract class PlatformReader {

    final Evidence evidence;
    private final PlatformContract contract;

    /** @param contract its promises, where they are the same everywhere */
    PlatformReader(Evidence evidence, PlatformContract contract) {
        this.evidence = evidence;
        this.contract = contract;
    }

    /** By what it is recognised here; empty: we are not on it. To look for it never fails. */
    abstract Optional<String> sign();

    /** Its promises. */
    PlatformContract contract() {
        return contract;
    }

    /** {@code set: A, B}; empty where nothing is. */
    static Optional<String> set(List<String> variables) {
        return variables.isEmpty() ? Optional.empty() : Optional.of("set: " + String.join(", ", variables));
    }

    Optional<OptionValue> jobId() {
        return Optional.empty();
    }

    /** Whether its job id holds whatever the user gives. */
    boolean fixesJobId() {
        return false;
    }

    /** Why the platform cannot do without its job id, naming all that is missing; empty: it can. */
    Optional<String> missing() {
        return Optional.empty();
    }

    Optional<OptionValue> nodes() {
        return Optional.empty();
    }

    Optional<OptionValue> index() {
        return Optional.empty();
    }

    Optional<OptionValue> cards() {
        return Optional.empty();
    }

    /** What this node is called. */
    Optional<OptionValue> nodeName() {
        return Optional.empty();
    }

    Optional<OptionValue> address() {
        return Optional.empty();
    }

    /** How long ranks have to end, as {@code --grace} has it. */
    Optional<OptionValue> grace() {
        return Optional.empty();
    }

    /** What this node does. */
    Optional<String> role() {
        return Optional.empty();
    }

    /** Of all nodes with this node's role, in node order. */
    List<Host> hosts() {
        return List.of();
    }

    /** The hosts of every role that has containers of its own, by the role's name in lower case. */
    Map<String, List<Host>> hostsByRole() {
        return Map.of();
    }

    /** What it says of any other option, Muster's or the engine's. */
    Optional<OptionValue> option(String name) {
        return name.equals(OptionTable.GRACE.name()) ? grace() : Optional.empty();
    }

    /** Where things belong, unless options say otherwise; empty: where the caller is. */
    Optional<ContractPlaces> places() {
        return Optional.empty();
    }

    /** Why no job can be booted from here, in a sentence with the line to write instead. */
    Optional<String> refusal() {
        return Optional.empty();
    }

    /** Why the nodes of a job of several have different numbers of cards, in such a sentence. */
    Optional<String> disagreement() {
        return Optional.empty();
    }

    /** What it means for the link between the launchers. */
    LinkTerms link() {
        return LinkTerms.NONE;
    }

    /** The variables that count how often the platform has started the job: for reports. */
    List<String> startCounts() {
        return List.of();
    }

    /** Variables that no process may inherit: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
    List<String> notForProcesses() {
        return List.of();
    }

    /** What the user should know about being here. */
    List<String> warnings() {
        return List.of();
    }

    /** What is good to know of the platform itself, for who looks at it and not at each start. */
    Optional<String> remark() {
        return Optional.empty();
    }
}
