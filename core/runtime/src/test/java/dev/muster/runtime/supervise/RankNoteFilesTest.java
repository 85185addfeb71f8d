package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankNoteFilesTest {

    private static final long NOW = Duration.ofHours(1).toNanos();

    @TempDir
    Path directory;

    private RankNoteFiles notes() {
        return new RankNoteFiles(directory, () -> NOW);
    }

    @Test
    void everyNoteIsReadOnce() throws IOException {
        RankNoteFiles notes = notes();
        assertThat(notes.read()).isEqualTo(RankNotes.NOTHING);
        Files.writeString(directory.resolve("started.3"), "71 4242\n");
        Files.writeString(directory.resolve("rank.sh"), "no note\n");

        assertThat(untilSomething(notes).started()).containsExactly(new RankNotes.Started(3, 71, 4242));
        Files.writeString(directory.resolve("ended.3"), "127 3 no such\n");
        assertThat(untilSomething(notes).failed()).singleElement().satisfies(failed -> {
            assertThat(failed.rank()).isEqualTo(3);
            assertThat(failed.how()).isEqualTo(Termination.exited(127));
            assertThat(failed.missing()).contains("no such");
        });
        assertThat(notes.read()).isEqualTo(RankNotes.NOTHING);
    }

    @Test
    void aRankWhoseShellKeepsItsEndIsGone() throws IOException {
        RankNoteFiles notes = notes();
        Files.createFile(directory.resolve("gone.12"));
        Files.createFile(directory.resolve("gone.x"));

        assertThat(untilSomething(notes).gone()).containsExactly(12);
        assertThat(notes.read()).isEqualTo(RankNotes.NOTHING);
    }

    @Test
    void aRankFailedWhenItsNoteWasWritten() throws IOException {
        Path note = Files.writeString(directory.resolve("ended.0"), "137 0 \n");
        Files.setLastModifiedTime(
                note, FileTime.fromMillis(Files.getLastModifiedTime(note).toMillis() - 5000));

        RankNotes.Failed failed = notes().read().failed().get(0);

        assertThat(failed.how()).isEqualTo(Termination.signalled(9));
        assertThat(failed.missing()).isEmpty();
        assertThat(failed.isAlone()).isFalse();
        assertThat(Duration.ofNanos(NOW - failed.nanoTime())).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(20));
    }

    @Test
    void aRankMayHaveBeenKilledAlone() throws IOException {
        Files.writeString(directory.resolve("ended.0"), "137 0 \nalone\n");
        assertThat(notes().read().failed()).singleElement().satisfies(failed -> {
            assertThat(failed.how()).isEqualTo(Termination.signalled(9));
            assertThat(failed.isAlone()).isTrue();
        });
    }

    /** A rank writes its first note in place; whoever looks too early looks again. */
    @Test
    void aNoteThatIsNotThereYetIsReadLater() throws IOException {
        RankNoteFiles notes = notes();
        Path note = Files.createFile(directory.resolve("started.0"));
        assertThat(notes.read().started()).isEmpty();
        assertThat(notes.read().started()).isEmpty();

        Files.writeString(note, "71 1\n");

        assertThat(notes.read().started()).hasSize(1);
    }

    @Test
    void whatIsNoNoteIsNone() throws IOException {
        for (String text : List.of("", "x", "300 0 ", "3", "-1 0", "3 x")) {
            Files.writeString(directory.resolve("ended.1"), text);
            assertThat(notes().read()).as(text).isEqualTo(RankNotes.NOTHING);
        }
        Files.writeString(directory.resolve("started.x"), "71 1\n");
        assertThat(notes().read()).isEqualTo(RankNotes.NOTHING);
        assertThat(new RankNoteFiles(directory.resolve("gone"), () -> NOW).read())
                .isEqualTo(RankNotes.NOTHING);
    }

    @Test
    void aProcessIsThereUntilItEndsAndNobodyElseIsIt() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        long start = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);

        assertThat(ProcessTable.isThere(process.pid(), start)).isTrue();
        assertThat(ProcessTable.isThere(process.pid(), start + 1)).isFalse();
        process.destroyForcibly().waitFor();
        assertThat(ProcessTable.isThere(process.pid(), start)).isFalse();
    }

    /** Times of files are coarse: whoever writes right after a look is seen at the next but one at the latest. */
    private static RankNotes untilSomething(RankNoteFiles notes) {
        List<RankNotes> read = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            read.add(notes.read());
        }
        return read.stream()
                .filter(found -> !found.equals(RankNotes.NOTHING))
                .findFirst()
                .orElse(RankNotes.NOTHING);
    }

    @Test
    void aNoteRightAfterALookIsNotMissed() throws IOException {
        for (int i = 0; i < 200; i++) {
            RankNoteFiles notes = notes();
            notes.read();
            Files.writeString(directory.resolve("started." + i), i + " 1\n");
            int rank = i;
            assertThat(untilSomething(notes).started()).as("rank %s", i).anyMatch(started -> started.rank() == rank);
        }
    }
}
