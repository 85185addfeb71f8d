package dev.muster.spi;

/**
 * The rank of a task.
 *
 * @param rank in the job, 0..worldSize-1
 * @param localRank on this node, from 0
 * @param worldSize the number of ranks of the job
 * @since 0.1
 */
@Stability(stable = true)
public record RankInfo(int rank, int localRank, int worldSize) {}
