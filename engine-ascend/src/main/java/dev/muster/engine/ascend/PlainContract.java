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

/** The contract of ModelArts' boot program: the command as it is, in the n-th of the node's working directories. */
record PlainContract(JobSpec job) implements RankContract {

    @Override
    public SortedMap<String, String> inherited() {
        return job.environment();
    }

    @Override
    public EnvironmentChange beforehand() {
        return EnvironmentChange.NONE;
    }

    @Override
    public RequiredDirectory workDirectory(int rank, int card) {
        return RequiredDirectory.of(job.places().workDirectoryOf("device" + card), "working directory of rank " + rank);
    }

    @Override
    public List<Value> command(int rank, int card) {
        return Launch.literally(job.command());
    }

    @Override
    public EnvironmentChange environment(int rank, String workDirectory) {
        return EnvironmentChange.NONE;
    }

    @Override
    public List<GeneratedFile> files(String processId, String workDirectory) {
        return List.of();
    }

    @Override
    public List<RequiredDirectory> directories() {
        return List.of();
    }

    @Override
    public List<Note> notes() {
        return Framework.unused(job);
    }
}
