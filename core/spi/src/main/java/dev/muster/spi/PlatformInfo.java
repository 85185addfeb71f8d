package dev.muster.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a platform tells the launcher of one node. It says only what it knows; what the user says is stronger.
 *
 * @param contract its promises
 * @param options values of options, by their names: Muster's, such as {@code job-id}, {@code nodes}, {@code node-index}, {@code cards},
 *     {@code grace}, {@code workdir} and {@code log-dir}, and those of engines. Where nodes come and go, {@code nodes} is {@code LEAST:MOST}
 * @param nodeName what this node is called
 * @param address under which this node's host is known
 * @param role what this node does, in the platform's word
 * @param hosts of all nodes with this node's role, in node order
 * @param hostsByRole the hosts of every role that has containers of its own, by the role's name in lower case
 * @param tableDirectory where generated tables go; empty: no particular place
 * @param linkKey the absolute path of a file that only the nodes of this job have, and how to call it
 * @param exitDelay how long launchers stay after the end of a job that failed on another node, where the platform would not start a job
 *     again all of whose nodes end at once
 * @param starts how often the platform has started the job, by the variables that tell it
 * @param notForProcesses variables that no process may inherit: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param refusals why something cannot be told, by the name of its option, or {@code node-name}, {@code hosts} and the like: the job is
 *     refused in these words where it needs that. By {@link #ALL}: why no job can be started from here
 * @param warnings what the user should know about being here
 * @since 0.2
 */
@Stability(stable = false)
public record PlatformInfo(
        PlatformContract contract,
        Map<String, OptionValue> options,
        Optional<OptionValue> nodeName,
        Optional<OptionValue> address,
        Optional<String> role,
        List<Host> hosts,
        Map<String, List<Host>> hostsByRole,
        Optional<String> tableDirectory,
        Optional<OptionValue> linkKey,
        Optional<Duration> exitDelay,
        List<OptionValue> starts,
        List<String> notForProcesses,
        Map<String, String> refusals,
        List<String> warnings) {

    /** What is refused is the job itself. */
    public static final String ALL = "";

    public PlatformInfo {
        options = Map.copyOf(options);
        hosts = List.copyOf(hosts);
        hostsByRole = Map.copyOf(hostsByRole);
        starts = List.copyOf(starts);
        notForProcesses = List.copyOf(notForProcesses);
        refusals = Map.copyOf(refusals);
        warnings = List.copyOf(warnings);
    }

    /** What a platform tells that knows nothing yet but its promises. */
    public static Builder of(PlatformContract contract) {
        return new Builder(contract);
    }

    /** What a platform tells, while it is written. */
    public static final class Builder {

        private PlatformContract contract;
        private final Map<String, OptionValue> options = new HashMap<>();
        private final Map<String, List<Host>> hostsByRole = new HashMap<>();
        private final List<OptionValue> starts = new ArrayList<>();
        private final List<String> notForProcesses = new ArrayList<>();
        private final Map<String, String> refusals = new HashMap<>();
        private final List<String> warnings = new ArrayList<>();
        private Optional<OptionValue> nodeName = Optional.empty();
        private Optional<OptionValue> address = Optional.empty();
        private Optional<String> role = Optional.empty();
        private List<Host> hosts = List.of();
        private Optional<String> tableDirectory = Optional.empty();
        private Optional<OptionValue> linkKey = Optional.empty();
        private Optional<Duration> exitDelay = Optional.empty();

        private Builder(PlatformContract contract) {
            this.contract = contract;
        }

        /** Other promises, where what is told decides about them. */
        public Builder contract(PlatformContract known) {
            contract = known;
            return this;
        }

        /** The value of an option, by its name. */
        public Builder option(String name, OptionValue value) {
            options.put(name, value);
            return this;
        }

        public Builder nodeName(OptionValue name) {
            nodeName = Optional.of(name);
            return this;
        }

        public Builder address(OptionValue told) {
            address = Optional.of(told);
            return this;
        }

        public Builder role(String word) {
            role = Optional.of(word);
            return this;
        }

        public Builder hosts(List<Host> all) {
            hosts = all;
            return this;
        }

        /** The hosts of one role. */
        public Builder hosts(String ofRole, List<Host> all) {
            hostsByRole.put(ofRole, all);
            return this;
        }

        public Builder tableDirectory(String directory) {
            tableDirectory = Optional.of(directory);
            return this;
        }

        public Builder linkKey(OptionValue file) {
            linkKey = Optional.of(file);
            return this;
        }

        public Builder exitDelay(Duration delay) {
            exitDelay = Optional.of(delay);
            return this;
        }

        public Builder start(OptionValue count) {
            starts.add(count);
            return this;
        }

        public Builder notForProcesses(Collection<String> patterns) {
            notForProcesses.addAll(patterns);
            return this;
        }

        /** Why something cannot be told: see {@link PlatformInfo#refusals}. The first reason holds. */
        public Builder refusal(String subject, String reason) {
            refusals.putIfAbsent(subject, reason);
            return this;
        }

        public Builder warning(String text) {
            warnings.add(text);
            return this;
        }

        public PlatformInfo build() {
            return new PlatformInfo(
                    contract,
                    options,
                    nodeName,
                    address,
                    role,
                    hosts,
                    hostsByRole,
                    tableDirectory,
                    linkKey,
                    exitDelay,
                    starts,
                    notForProcesses,
                    refusals,
                    warnings);
        }
    }
}
