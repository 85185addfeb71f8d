package dev.muster.runtime.platform;

import dev.muster.runtime.config.Settings;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where this launcher stands: platform and options taken together.
 *
 * @param jobId safe in paths and host names
 * @param starts how often the platform has started the job, by the variables that tell it
 * @param settings the settings, with those that the platform decided
 * @param foreignVariables names of variables that no process of the job inherits
 * @param unheard what says that the job has several nodes, and was not followed yet: a plan for one node is a mistake then
 * @param link what the platform means for the link between the launchers
 * @param warnings what the user should know
 */
public record Site(
        DetectedPlatform platform,
        String jobId,
        List<OptionValue> starts,
        Node node,
        JobDirectories places,
        Settings settings,
        SortedSet<String> foreignVariables,
        List<Claim> unheard,
        LinkTerms link,
        List<String> warnings) {

    public Site {
        starts = List.copyOf(starts);
        foreignVariables = Collections.unmodifiableSortedSet(new TreeSet<>(foreignVariables));
        unheard = List.copyOf(unheard);
        warnings = List.copyOf(warnings);
    }

    /** How often the platform has started the job, for example {@code SLURM_RESTART_COUNT=2}; empty where it does not tell. */
    public Optional<String> startCounts() {
        return StartCounts.text(starts);
    }

    /** The same place for a job of another id. */
    public Site withJobId(String id, Settings replaced) {
        return new Site(platform, id, starts, node, places, replaced, foreignVariables, unheard, link, warnings);
    }
}
