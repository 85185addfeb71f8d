package dev.muster.runtime.plan;

import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import java.util.Optional;

/**
 * The plan of one node with what it was made from.
 *
 * @param job its platform is the recognised one
 * @param plan validated
 * @param link how its launcher connects to the others; empty: there are no others, or nobody asked
 */
public record NodePlan(JobSpec job, Node node, LaunchPlan plan, Optional<LinkPlan> link) {}
