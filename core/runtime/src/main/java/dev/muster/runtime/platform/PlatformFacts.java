package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What one platform tells the containers of its jobs. It says only what it knows.
 *
 * @param sign by what it is recognised here; empty: we are not on it
 * @param contract its promises
 * @param settings what it says of options, Muster's own and the engine's, by their names
 * @param nodeName what this node is called
 * @param role what this node does
 * @param hosts of all nodes with this node's role, in node order
 * @param hostsByRole the hosts of every role that has containers of its own, by the role's name in lower case
 * @param places where things belong, unless options say otherwise; empty: where the caller is
 * @param refusal why no job can be booted from here, in a sentence with the line to write instead
 * @param disagreement why the nodes of the job could not agree, in such a sentence: what each of them is told differs. It holds
 *     where the job has several nodes and nobody has said how many cards they have
 * @param fixesJobId whether its job id holds whatever the user gives
 * @param missing why the platform cannot do without its job id, naming all that is missing; empty: it can
 * @param link what it means for the link between the launchers
 * @param startCounts the variables that count how often the platform has started the job: for reports
 * @param notForProcesses variables that no process may inherit: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param warnings what the user should know about being here
 * @param remark what is good to know of the platform itself, for who looks at it and not at each start
 */
record PlatformFacts(
        Optional<String> sign,
        Answer<PlatformContract> contract,
        Map<String, Answer<OptionValue>> settings,
        Answer<OptionValue> nodeName,
        Answer<String> role,
        Answer<List<Host>> hosts,
        Answer<Map<String, List<Host>>> hostsByRole,
        Answer<ContractPlaces> places,
        Answer<String> refusal,
        Answer<String> disagreement,
        boolean fixesJobId,
        Optional<String> missing,
        Answer<LinkTerms> link,
        List<String> startCounts,
        List<String> notForProcesses,
        Answer<List<String>> warnings,
        Optional<String> remark) {

    /** What it says of an option. */
    Answer<OptionValue> answer(Option option) {
        return settings.getOrDefault(option.name(), Answer.none());
    }

    /** The same, as a setting. */
    Optional<Setting> setting(Option option) {
        return answer(option).get().map(said -> Setting.ofPlatform(option, said.value(), said.origin()));
    }

    /** Those of the platform of a contract that is the same everywhere. */
    static Builder on(Evidence evidence, PlatformContract contract, Optional<String> sign) {
        return on(evidence, contract.name(), sign).contract(() -> contract);
    }

    static Builder on(Evidence evidence, String name, Optional<String> sign) {
        return new Builder(sign, sign.isPresent() || evidence.isOnRequest(name));
    }

    /** Puts the facts together; a platform that we are not on, and that nobody names, is asked for nothing. */
    static final class Builder {

        private final Optional<String> sign;
        private final boolean isWanted;
        private final Map<String, Answer<OptionValue>> settings = new HashMap<>();
        private Answer<PlatformContract> contract = Answer.none();
        private Answer<OptionValue> nodeName = Answer.none();
        private Answer<String> role = Answer.none();
        private Answer<List<Host>> hosts = Answer.none();
        private Answer<Map<String, List<Host>>> hostsByRole = Answer.none();
        private Answer<ContractPlaces> places = Answer.none();
        private Answer<String> refusal = Answer.none();
        private Answer<String> disagreement = Answer.none();
        private Answer<List<String>> warnings = Answer.none();
        private boolean fixesJobId;
        private Optional<String> missing = Optional.empty();
        private Answer<LinkTerms> link = Answer.none();
        private List<String> startCounts = List.of();
        private List<String> notForProcesses = List.of();
        private Optional<String> remark = Optional.empty();

        private Builder(Optional<String> sign, boolean isWanted) {
            this.sign = sign;
            this.isWanted = isWanted;
        }

        private <T> Answer<T> ask(Supplier<Optional<T>> question) {
            return isWanted ? Answer.of(question) : Answer.none();
        }

        Builder contract(Supplier<PlatformContract> question) {
            contract = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder jobId(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.JOB_ID.name(), question);
        }

        Builder nodes(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.NODES.name(), question);
        }

        Builder index(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.NODE_INDEX.name(), question);
        }

        Builder cards(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.CARDS.name(), question);
        }

        Builder address(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.NODE_ADDRESS.name(), question);
        }

        Builder grace(Supplier<Optional<OptionValue>> question) {
            return option(OptionTable.GRACE.name(), question);
        }

        /** What it says of any option, Muster's or the engine's. */
        Builder option(String name, Supplier<Optional<OptionValue>> question) {
            settings.put(name, ask(question));
            return this;
        }

        Builder nodeName(Supplier<Optional<OptionValue>> question) {
            nodeName = ask(question);
            return this;
        }

        Builder role(Supplier<Optional<String>> question) {
            role = ask(question);
            return this;
        }

        Builder hosts(Supplier<List<Host>> question) {
            hosts = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder hostsByRole(Supplier<Map<String, List<Host>>> question) {
            hostsByRole = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder places(Supplier<ContractPlaces> question) {
            places = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder refusal(Supplier<Optional<String>> question) {
            refusal = ask(question);
            return this;
        }

        Builder disagreement(Supplier<Optional<String>> question) {
            disagreement = ask(question);
            return this;
        }

        Builder warnings(Supplier<List<String>> question) {
            warnings = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder fixesJobId() {
            fixesJobId = true;
            return this;
        }

        Builder missing(String what) {
            missing = Optional.of(what);
            return this;
        }

        Builder link(Supplier<LinkTerms> question) {
            link = ask(() -> Optional.of(question.get()));
            return this;
        }

        Builder startCounts(List<String> variables) {
            startCounts = variables;
            return this;
        }

        Builder notForProcesses(List<String> patterns) {
            notForProcesses = patterns;
            return this;
        }

        Builder remark(String text) {
            remark = Optional.of(text);
            return this;
        }

        PlatformFacts build() {
            return new PlatformFacts(
                    sign,
                    contract,
                    Map.copyOf(settings),
                    nodeName,
                    role,
                    hosts,
                    hostsByRole,
                    places,
                    refusal,
                    disagreement,
                    fixesJobId,
                    missing,
                    link,
                    startCounts,
                    notForProcesses,
                    warnings,
                    remark);
        }
    }
}
