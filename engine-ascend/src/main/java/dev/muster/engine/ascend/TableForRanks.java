package dev.muster.engine.ascend;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.Note;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;

/**
 * The table of the ranks: the file that was read, or a file that this launcher writes.
 *
 * @param path of the table
 * @param toWrite the file, if this launcher must write it
 * @param notes what the user should know about it
 */
record TableForRanks(Value path, Optional<GeneratedFile> toWrite, List<Note> notes) {

    private static final String SUFFIX = ".json";

    TableForRanks {
        notes = List.copyOf(notes);
    }

    static TableForRanks of(RankTable table, JobDirectories places) {
        String source = table.path();
        if (table.rewritten().isPresent()) {
            return written(table.rewritten().get(), directory(source, places), List.of());
        }
        if (isReadByHccl(source)) {
            return new TableForRanks(Value.of(source), Optional.empty(), List.of());
        }
        Note note = Note.info("the path of rank table " + source + " does not have " + SUFFIX
                + " at its end alone, as HCCL demands: the ranks get a copy");
        return written(Value.of(JsonText.of(table.source().content())), directory(source, places), List.of(note));
    }

    /** A file that this launcher writes for the ranks. */
    static TableForRanks written(Value content, Optional<String> directory, List<Note> notes) {
        GeneratedFile file = new GeneratedFile("rank-table", directory, RankTableSource.FILE_NAME, content);
        return new TableForRanks(file.path(), Optional.of(file), notes);
    }

    /** Whether HCCL can read the path: it takes the first {@code .json} for the end of the path. */
    private static boolean isReadByHccl(String path) {
        return path.endsWith(SUFFIX) && path.indexOf(SUFFIX) == path.length() - SUFFIX.length();
    }

    /** The directory for tables, unless the file would overwrite the original: other nodes and the next start still need it. */
    private static Optional<String> directory(String source, JobDirectories places) {
        Optional<String> directory = places.tableDirectory();
        boolean overwrites = directory.isPresent() && source.equals(directory.get() + "/" + RankTableSource.FILE_NAME);
        return overwrites ? Optional.empty() : directory;
    }
}
