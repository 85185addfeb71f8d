package dev.muster.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a platform tells the launcher of one node. It tells only what it knows. Values that the user gives win.
 *
 * @param contract its promises
 * @param options values of options, by their names: Muster's, such as {@code job-id}, {@code nodes}, {@code node-index}, {@code cards},
 *     {@code grace}, {@code workdir} and {@code log-dir}, and those of engines. For an elastic job {@code nodes} is {@code LEAST:MOST}
 * @param nodeName the name of this node
 * @param address the address of this node's host
 * @param role the platform's word for what this node does
 * @param hosts the hosts of all nodes with this node's role, in node order
 * @param hostsByRole the hosts of every role that has its own containers, by the role's name in lower case
 * @param tableDirectory the directory for generated tables; empty: the platform demands none
 * @param linkKey the absolute path of a file that only the nodes of this job have, and its name in messages
 * @param exitDelay how long launchers wait before they exit, after the job failed on another node. For platforms that do not restart a
 *     job whose nodes all end at once
 * @param starts how often the platform has started the job, by the variables that tell it
 * @param notForProcesses variables that no process may inherit: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param refusals why a value is unknown, by the name of its option, or by {@code node-name}, {@code hosts} and the like. If the job
 *     needs the value, the launcher refuses the job with this text. By {@link #ALL}: why no job can start here
 * @param warnings what the user should know about this platform or this place
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

    /** The key in {@code refusals} for a refusal of every job. */
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

    /** A builder that has only the contract. */
    public static Builder of(PlatformContract contract) {
        return new Builder(contract);
    }

    /** Builds what a platform tells. */
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

        /** Replaces the contract. */
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

        /** Why a value is unknown: see {@link PlatformInfo#refusals}. The first reason for a value stays. */
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
