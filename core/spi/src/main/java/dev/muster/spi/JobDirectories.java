package dev.muster.spi;

import java.util.Optional;

/**
 * The directories of a job. All paths are absolute.
 *
 * @param workDirectory the working directory of the tasks, or the parent of it: see {@code workDirectoryPerTask}
 * @param workDirectoryPerTask whether each task works in a directory of its own below {@code workDirectory}
 * @param logDirectory the directory of logs and results
 * @param tableDirectory where the platform's contract puts generated tables and hostfiles; empty: the runtime chooses a
 *     private temporary directory
 * @since 0.1
 */
@Stability(stable = true)
public record JobDirectories(
        String workDirectory, boolean workDirectoryPerTask, String logDirectory, Optional<String> tableDirectory) {

    /** The working directory of a task. If each task has its own directory, the last part of the path is {@code name}. */
    public String workDirectoryOf(String name) {
        return workDirectoryPerTask ? workDirectory + "/" + name : workDirectory;
    }
}
