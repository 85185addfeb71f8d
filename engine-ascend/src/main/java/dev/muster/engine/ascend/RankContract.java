package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Note;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.util.List;
import java.util.SortedMap;

/** What ranks expect of who starts them, beside their number and their table. */
interface RankContract {

    /** What ranks find before anything is said of the job. */
    SortedMap<String, String> inherited();

    /** How that differs from the launcher's environment. */
    EnvironmentChange beforehand();

    /** Where a rank works. */
    RequiredDirectory workDirectory(int rank, int card);

    /** What a rank executes. */
    List<Value> command(int rank, int card);

    /** How the environment of a rank differs from that of every rank of this engine. What it sets wins. */
    EnvironmentChange environment(int rank, String workDirectory);

    /** Files that belong to a rank. */
    List<GeneratedFile> files(String processId, String workDirectory);

    /** Directories that all ranks share. */
    List<RequiredDirectory> directories();

    List<Note> notes();
}
