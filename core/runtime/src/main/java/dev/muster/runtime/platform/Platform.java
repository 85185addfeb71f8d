package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one platform tells the containers of its jobs. Every method looks only when it is asked, so that a variable which an
 * option overrides is not even read; one that is asked for and wrong is refused. A platform says only what it knows: the
 * defaults know nothing.
 */
interface Platform {

    /** Its promises. */
    PlatformContract contract();

    /** By what it is recognised here; empty: we are not on it. */
    Optional<String> sign();

    /**
     * Why no job can be booted from here, in a sentence with the line to write instead: the engine does not fit the platform's
     * contract, or this is not where the platform starts a job's processes. Empty: one can.
     */
    default Optional<String> refusal() {
        return Optional.empty();
    }

    /** The job's id: the same on all nodes and in every restart. */
    default Optional<OptionValue> jobId() {
        return Optional.empty();
    }

    /** Whether {@link #jobId} holds whatever the user gives. */
    default boolean fixesJobId() {
        return false;
    }

    /** Why this platform cannot do without {@link #jobId}, naming all that is missing; empty: it can. */
    default Optional<String> whatIsMissing() {
        return Optional.empty();
    }

    /** The variables that count how often the platform has started the job, or started it again: for reports. */
    default List<String> startCounts() {
        return List.of();
    }

    /** The setting of {@code --nodes}. */
    default Optional<Setting> nodes() {
        return Optional.empty();
    }

    /** The setting of {@code --node-index}. */
    default Optional<Setting> nodeIndex() {
        return Optional.empty();
    }

    /** Whether the index of a job's only node is 0: then another one says that there are more. */
    default boolean numbersOnlyNodes() {
        return true;
    }

    /** The setting of {@code --cards}. */
    default Optional<Setting> cards() {
        return Optional.empty();
    }

    /** What this node is called. */
    default Optional<OptionValue> nodeName() {
        return Optional.empty();
    }

    /** The address under which this node's host is known. */
    default Optional<OptionValue> nodeAddress() {
        return Optional.empty();
    }

    /** What this node does. */
    default Optional<String> role() {
        return Optional.empty();
    }

    /** The hosts of all nodes with this node's role, in node order. */
    default List<Host> hosts() {
        return List.of();
    }

    /**
     * The same where the platform names hosts by their number alone, and the user says how many there are.
     *
     * @param count how many nodes the job has
     */
    default List<Host> hosts(int count) {
        return hosts();
    }

    /**
     * The names of the same hosts under which nodes log in to each other, where the platform's contract has others.
     *
     * @param count how many nodes the job has, more than one
     */
    default List<Host> loginHosts(int count) {
        return hosts(count);
    }

    /** The hosts of every role that has containers of its own, by the role's name in lower case; empty: there are no roles. */
    default Map<String, List<Host>> hostsByRole() {
        return Map.of();
    }

    /**
     * What this platform says about an option of the chosen engine, where nobody else does.
     *
     * @param settings what the user says
     * @param warn told of a word of the platform's that means nothing to the engine
     */
    default Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return Optional.empty();
    }

    /**
     * The setting of {@code --grace}, where the platform's own time between its SIGTERM and its SIGKILL is known.
     *
     * @param usual what holds where nobody says anything
     * @param commands asked where no variable tells
     */
    default Optional<Setting> grace(Setting usual, Commands commands) {
        return Optional.empty();
    }

    /** The setting of {@code --reset-file}, where the platform lists faults of cards in a file. */
    default Optional<Setting> resetFile() {
        return Optional.empty();
    }

    /** Why a {@code --grace} that the user gave cannot be had here, where that is known. */
    default Optional<String> graceWarning(Setting given) {
        return Optional.empty();
    }

    /**
     * Why the nodes of the job could not agree, in a sentence with what to write instead: what each of them is told differs, and
     * none can see it in its own variables. Asked where the job has several nodes and nobody has said how many cards they have.
     *
     * @param commands asked for what no variable tells
     */
    default Optional<String> disagreement(Commands commands) {
        return Optional.empty();
    }

    /** Variables that no process of the job may inherit: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
    default List<String> notForProcesses() {
        return List.of();
    }

    /** What only the nodes of this job share, so that nobody else can speak for one of them. */
    default Optional<LinkTerms.SharedKey> linkKey() {
        return Optional.empty();
    }

    /** Whether its nodes have munge, which tells whose a message is. */
    default boolean hasMunge() {
        return false;
    }

    /**
     * How long launchers stay after the end of a job that failed on another node, where the platform would not start a job again
     * all of whose nodes end at once.
     */
    default Optional<Duration> staysFor() {
        return Optional.empty();
    }

    /** What the user should know about being here. */
    default List<String> warnings() {
        return List.of();
    }

    /** What is good to know of the platform itself, for who looks at it and not at each start. */
    default Optional<String> remark() {
        return Optional.empty();
    }

    /** Where things belong, unless options say otherwise; empty: where the caller is. */
    default Optional<ContractPlaces> places() {
        return Optional.empty();
    }
}
