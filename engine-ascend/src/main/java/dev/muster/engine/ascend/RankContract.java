package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.Note;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.util.List;
import java.util.SortedMap;

/**
 * What ranks expect of who starts them, beside their number and their table. This is the contract of ModelArts' boot program: the
 * command as it is, in the n-th of the node's working directories.
 */
class RankContract {

    final JobSpec job;

    RankContract(JobSpec job) {
        this.job = job;
    }

    /** What ranks find before anything is said of the job. */
    SortedMap<String, String> inherited() {
        return job.environment();
    }

    /** How that differs from the launcher's environment. */
    EnvironmentChange beforehand() {
        return EnvironmentChange.NONE;
    }

    /** Where a rank works. */
    RequiredDirectory workDirectory(int rank, int card) {
        return RequiredDirectory.of(job.places().workDirectoryOf("device" + card), "working directory of rank " + rank);
    }

    /** What a rank executes. */
    List<Value> command(int rank, int card) {
        return Launch.literally(job.command());
    }

    /** How the environment of a rank differs from that of every rank of this engine. What it sets wins. */
    EnvironmentChange environment(int rank, String workDirectory) {
        return EnvironmentChange.NONE;
    }

    /** Files that belong to a rank. */
    List<GeneratedFile> files(String processId, String workDirectory) {
        return List.of();
    }

    /** Directories that all ranks share. */
    List<RequiredDirectory> directories() {
        return List.of();
    }

    List<Note> notes() {
        return Framework.unused(job);
    }
}
