package dev.muster.runtime.platform;

import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * The job and this node, from the platform and the options.
 *
 * @param jobId safe in paths and host names
 * @param settings the settings, with those that the platform decided
 * @param foreignVariables names of variables that no process of the job inherits
 * @param unusedSigns unused signs that the job has several nodes: a plan for one node is then a mistake
 * @param warnings what the user should know
 * @param refusal why this launcher refuses the job, after it has told the launchers that it knows
 */
public record ResolvedJob(
        DetectedPlatform platform,
        String jobId,
        Node node,
        JobDirectories places,
        Settings settings,
        SortedSet<String> foreignVariables,
        List<Claim> unusedSigns,
        List<String> warnings,
        Optional<MusterException> refusal) {

    /** How often the platform has started the job, for example {@code SLURM_RESTART_COUNT=2}; empty where it does not tell. */
    public Optional<String> startCounts() {
        return startCounts(platform.info().starts());
    }

    /** The same with another id. */
    public ResolvedJob withJobId(String id, Settings replaced) {
        return new ResolvedJob(platform, id, node, places, replaced, foreignVariables, unusedSigns, warnings, refusal);
    }

    /** The same on another node. */
    public ResolvedJob withNode(Node other) {
        return new ResolvedJob(
                platform, jobId, other, places, settings, foreignVariables, unusedSigns, warnings, refusal);
    }

    static Optional<String> startCounts(List<OptionValue> starts) {
        return Optional.of(starts.stream()
                        .map(count -> count.origin() + "=" + count.value())
                        .collect(Collectors.joining(", ")))
                .filter(text -> !text.isEmpty());
    }
}
