package dev.muster.runtime.plan;

import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;

/**
 * The plan of one node with what it was made from.
 *
 * @param job its platform is the one that was taken
 * @param plan validated
 */
public record NodePlan(JobSpec job, Node node, LaunchPlan plan) {}
