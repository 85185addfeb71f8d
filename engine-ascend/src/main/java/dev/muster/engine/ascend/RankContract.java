package dev.muster.engine.ascend;

import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.Note;
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
    DirectoryToMake workDirectory(int rank, int card);

    /** What a rank executes. */
    List<Value> command(int rank, int card);

    /** How the environment of a rank differs from that of every rank of this engine. What it sets wins. */
    EnvironmentChange environment(int rank, String workDirectory);

    /** Files that belong to a rank. */
    List<FileToWrite> files(String processId, String workDirectory);

    /** Directories that all ranks share. */
    List<DirectoryToMake> directories();

    List<Note> notes();
}
