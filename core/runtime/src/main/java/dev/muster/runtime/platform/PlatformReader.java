package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Reads what one built-in platform tells here. A {@link MusterException} from an answer refuses only the value that was asked for: a wrong
 * variable matters only if its value is needed.
 */
abstract class PlatformReader {

    /** What a platform can refuse besides options. */
    static final String NODE_NAME = "node-name";

    static final String NODE_ADDRESS = "node-address";
    static final String HOSTS = "hosts";
    static final String ROLE = "role";

    /** Roles that several platforms have. */
    static final String WORKER = "worker";

    static final String PS = "ps";
    static final String EVALUATOR = "evaluator";

    private static final int MOST_STARTS = 1_000_000_000;

    final EvidenceReader evidence;
    private PlatformContract contract = PlatformContract.NONE;
    private final PlatformInfo.Builder info = PlatformInfo.of(contract);

    PlatformReader(EvidenceReader evidence) {
        this.evidence = evidence;
    }

    /** The sign of this platform; empty: it is not here. Never throws. */
    abstract Optional<String> sign();

    /** Reports all that the platform tells. */
    abstract void readAll();

    /** All that the platform tells. */
    PlatformInfo info(KnownPlatform known) {
        setContract(any -> known.contract());
        readAll();
        known.exitDelay().ifPresent(info::exitDelay);
        List<String> hidden = new ArrayList<>(notForProcesses(known.property("hides")));
        if (new OuterMpirun(evidence).isSingle()) {
            hidden.addAll(KnownPlatform.mpirun().property("hides"));
        }
        return info.notForProcesses(hidden).build();
    }

    /** Variables that no process may inherit, of those that {@code platforms.txt} lists. */
    List<String> notForProcesses(List<String> listed) {
        return listed;
    }

    /** Where generated tables go. */
    final void tableDirectory(Optional<String> directory) {
        directory.ifPresent(info::tableDirectory);
    }

    final void setContract(UnaryOperator<PlatformContract> change) {
        contract = change.apply(contract);
        info.contract(contract);
    }

    final void option(Option option, Supplier<Optional<OptionValue>> answer) {
        option(option.name(), answer);
    }

    /** An option of an engine, by its name. */
    final void option(String option, Supplier<Optional<OptionValue>> answer) {
        valueOrRefusal(option, answer).ifPresent(value -> info.option(option, value));
    }

    /** What this node is called. */
    final void name(Supplier<Optional<OptionValue>> answer) {
        valueOrRefusal(NODE_NAME, answer).ifPresent(info::nodeName);
    }

    final void address(Supplier<Optional<OptionValue>> answer) {
        valueOrRefusal(NODE_ADDRESS, answer).ifPresent(info::address);
    }

    /** What this node does. */
    final void role(Supplier<Optional<String>> answer) {
        valueOrRefusal(ROLE, answer).ifPresent(info::role);
    }

    /** The hosts of all nodes with this node's role, in node order. */
    final void hosts(Supplier<List<Host>> answer) {
        valueOrRefusal(HOSTS, () -> Optional.of(answer.get())).ifPresent(info::hosts);
    }

    /** The hosts of every role that has containers of its own, by the role's name in lower case. */
    final void hostsByRole(Supplier<Map<String, List<Host>>> answer) {
        valueOrRefusal(HOSTS, () -> Optional.of(answer.get())).ifPresent(all -> all.forEach(info::hosts));
    }

    /** The file of a key that only the nodes of this job have. */
    final void linkKey(Supplier<Optional<OptionValue>> answer) {
        valueOrRefusal(HOSTS, answer).ifPresent(info::linkKey);
    }

    /** Variables that count how often the platform has started the job. They are for reports only, so a wrong value gives a warning. */
    final void startCounts(List<String> variables) {
        for (String variable : variables) {
            try {
                evidence.number(variable, 0, MOST_STARTS).ifPresent(info::start);
            } catch (MusterException wrong) {
                info.warning(wrong.getMessage() + ", and is not reported as a count of starts");
            }
        }
    }

    /** Why no job can be booted from here, in a sentence with the line to write instead. */
    final void refusal(Supplier<Optional<String>> why) {
        // If the check throws, only the number of nodes is refused: variables may be wrong on one node only.
        valueOrRefusal(OptionTable.NODES.name(), why).ifPresent(words -> info.refusal(PlatformInfo.ALL, words));
    }

    /** Why a value cannot be told. */
    final void refusal(String what, Supplier<Optional<String>> why) {
        valueOrRefusal(what, why).ifPresent(words -> info.refusal(what, words));
    }

    /** What the user should know about being here. */
    final void warning(Optional<String> words) {
        words.ifPresent(info::warning);
    }

    private <T> Optional<T> valueOrRefusal(String what, Supplier<Optional<T>> answer) {
        try {
            return answer.get();
        } catch (MusterException wrong) {
            info.refusal(what, withRemedy(what, String.valueOf(wrong.getMessage())));
            return Optional.empty();
        }
    }

    /** Adds a remedy, if the reason is one sentence: the code that reads a variable does not know the option. */
    private static String withRemedy(String what, String words) {
        boolean isOption = !Set.of(NODE_NAME, NODE_ADDRESS, ROLE).contains(what);
        return words.contains(". ") ? words : words + ". Correct it" + (isOption ? ", or give --" + what : "");
    }

    /** {@code set: A, B}; empty where nothing is. */
    static Optional<String> set(List<String> variables) {
        return variables.isEmpty() ? Optional.empty() : Optional.of("set: " + String.join(", ", variables));
    }
}
