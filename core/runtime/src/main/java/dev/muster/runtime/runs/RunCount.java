package dev.muster.runtime.runs;

/**
 * Which run of a job this is. A run is what happens between the start of a job's processes and their end; a job that may restart
 * in place has several of them under one launcher.
 *
 * @param run its number in this start of the job, from 1
 * @param used how many restarts of the budget have been used so far
 * @param limit how many restarts the job may have in all
 */
public record RunCount(int run, int used, int limit) {

    /** The variable in which ranks read the number of their run, where there may be several. */
    public static final String VARIABLE = "MUSTER_RUN";

    public RunCount {
        if (run < 1 || used < 0 || limit < 0) {
            throw new IllegalArgumentException("run " + run + ", " + used + " of " + limit + " restarts used");
        }
    }

    /** The first run of a start. */
    public static RunCount first(int limit) {
        return new RunCount(1, 0, limit);
    }

    /** Whether another run may follow a failure of this one. */
    public boolean mayRestart() {
        return used < limit;
    }

    /** The run after a failure of this one. */
    public RunCount next() {
        return new RunCount(run + 1, used + 1, limit);
    }
}
