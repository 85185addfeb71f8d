package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Ranks that print numbered lines, note their number in a file, and end as the test says. */
final class Printers {

    private static final String PROGRAM = """
            import os, signal, struct, sys, time

            rank, directory = sys.argv[1:]
            told = []
            signal.signal(signal.SIGTERM, lambda *_: told.append(0))
            notes = os.open(directory + "/count-" + rank, os.O_CREAT | os.O_RDWR)
            with open(directory + "/pid-" + rank, "w") as file:
                file.write(str(os.getpid()))
            count = 0
            while not told:
                line = b"rank %s line %d %s\\n" % (rank.encode(), count, b"x" * (count % 97))
                assert os.write(1, line) == len(line)
                count += 1
                os.pwrite(notes, struct.pack(">i", count), 0)
                time.sleep(0.001)
                if os.path.exists(directory + "/end-" + rank):
                    told.append(int(open(directory + "/end-" + rank).read()))
            os.write(1, b"rank %s end after %d" % (rank.encode(), count))
            os._exit(told[0])
            """;

    private final Scene scene;
    private final Path notes;
    private final int count;

    /** @param count how many there are */
    Printers(Scene scene, int count) {
        this.scene = scene;
        this.count = count;
        try {
            notes = Files.createDirectory(scene.beside("notes"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Scene.write(scene.beside("printer.py"), PROGRAM);
    }

    /** The training command. */
    String command() {
        return scene.script("rank", "exec python3 $scene/printer.py $me $scene/notes");
    }

    int count() {
        return count;
    }

    void awaitFirstLines() {
        Await.until("all ranks print", () -> {
            for (int rank = 0; rank < count; rank++) {
                if (lines(rank) == 0) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Waits until a rank has printed {@code more} lines. Each takes at least a millisecond. */
    void awaitMore(int rank, int more) {
        int seen = lines(rank);
        Await.until("rank " + rank + " has printed some more", () -> lines(rank) >= seen + more);
    }

    long pid(int rank) {
        return Long.parseLong(Scene.read(notes.resolve("pid-" + rank)));
    }

    /** Tells a rank to end with a code. */
    void end(int rank, int code) {
        try {
            Path part = Files.writeString(notes.resolve("part-" + rank), Integer.toString(code));
            Files.move(part, notes.resolve("end-" + rank), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private int lines(int rank) {
        try {
            byte[] bytes = Files.readAllBytes(notes.resolve("count-" + rank));
            return bytes.length < Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
        } catch (IOException notYet) {
            return 0;
        }
    }

    /**
     * What is missing in the logs and on standard output.
     *
     * @param killed the rank that was killed; it may have died after a line and before it noted the line
     * @param shown what the launcher printed; empty: only the logs are looked at
     */
    Optional<String> lost(Optional<Integer> killed, Optional<Result> shown) {
        Set<String> printed = new HashSet<>();
        shown.ifPresent(result -> printed.addAll(result.outputLines()));
        for (int rank = 0; rank < count; rank++) {
            int lines = lines(rank);
            String log = Scene.read(scene.log(rank));
            String whole = text(rank, lines);
            boolean isWhole = killed.equals(Optional.of(rank))
                    ? log.equals(whole) || log.equals(whole + line(rank, lines) + "\n")
                    : log.equals(whole + "rank " + rank + " end after " + lines);
            if (!isWhole) {
                return Optional.of("rank " + rank + " printed " + lines + " lines; its log ends with: "
                        + log.substring(Math.max(0, log.length() - 200)));
            }
            if (shown.isPresent() && !printed.containsAll(log.lines().toList())) {
                return Optional.of("standard output has not all lines of rank " + rank);
            }
        }
        return Optional.empty();
    }

    private static String text(int rank, int lines) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < lines; line++) {
            text.append(line(rank, line)).append('\n');
        }
        return text.toString();
    }

    private static String line(int rank, int number) {
        return "rank " + rank + " line " + number + " " + "x".repeat(number % 97);
    }
}
