package dev.muster.spi;

/**
 * Where a task stands in the job.
 *
 * @param rank job-wide, 0..worldSize-1
 * @param localRank on this node, from 0
 * @param worldSize how many ranks the job has
 * @since 0.1
 */
@Stability(stable = true)
public record RankInfo(int rank, int localRank, int worldSize) {}
