package dev.muster.spi;

import java.time.Duration;
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
}
