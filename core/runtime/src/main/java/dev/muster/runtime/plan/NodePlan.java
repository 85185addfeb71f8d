package dev.muster.runtime.plan;

import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import java.util.Optional;

/**
 * The plan of one node with what it was made from.
 *
 * @param job its platform is the one that was taken
 * @param plan validated
 * @param link how its launcher meets the others; empty: there are none, or nobody has asked
 */
public record NodePlan(JobSpec job, Node node, LaunchPlan plan, Optional<LinkPlan> link) {}
