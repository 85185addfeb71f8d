package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.HostedRanks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the notes of ranks in a run's private directory. One look costs a few microseconds unless something has changed. */
final class RankNoteFiles {

    private static final Pattern STARTED = Pattern.compile("([0-9]{1,10}) ([0-9]{1,18})");
    private static final Pattern ENDED = Pattern.compile("([0-9]{1,3}) ([0-9]{1,9})(?: (.*))?(?:\n(alone))?");

    private static final Pattern GONE = Pattern.compile(Pattern.quote(HostedRanks.GONE) + "[0-9]{1,9}");

    /** A file of our own, for what the file system takes for now. */
    private static final String NOW = ".now";

    private static final int HIGHEST_CODE = 255;

    /** For so long there may be no file more. */
    private static final long BLIND_FOR = TimeUnit.SECONDS.toNanos(2);

    private final Path directory;
    private final LongSupplier nanoClock;
    private final Set<String> read = new HashSet<>();
    private @Nullable FileTime lastChange;
    private boolean isFresh;
    /** Since when no file could be opened, though there was something to read. */
    private OptionalLong blindSince = OptionalLong.empty();

    RankNoteFiles(Path directory, LongSupplier nanoClock) {
        this.directory = directory;
        this.nanoClock = nanoClock;
    }

    /** What is new. */
    RankNotes read() {
        List<RankNotes.Started> started = new ArrayList<>();
        List<RankNotes.Failed> failed = new ArrayList<>();
        Set<Integer> gone = new HashSet<>();
        try {
            FileTime change = Files.getLastModifiedTime(directory);
            boolean isChanged = !change.equals(lastChange);
            if (!isChanged && !isFresh) {
                return RankNotes.NOTHING;
            }
            // Times of files are coarse: what comes right after this look may have the same.
            isFresh = isChanged;
            lastChange = change;
            list(started, failed, gone);
            blindSince = OptionalLong.empty();
        } catch (IOException | DirectoryIteratorException unreadable) {
            // What has changed is to be read as soon as it can be.
            lastChange = null;
            requireSight(unreadable);
        }
        return new RankNotes(started, failed, gone);
    }

    /** A rank that fails waits until it is seen, and would wait for ever. */
    private void requireSight(Exception unreadable) {
        long now = nanoClock.getAsLong();
        if (!Refusals.isOfFiles(unreadable)) {
            blindSince = OptionalLong.empty();
        } else if (blindSince.isEmpty()) {
            blindSince = OptionalLong.of(now);
        } else if (now - blindSince.getAsLong() >= BLIND_FOR) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "no more files can be opened here, a limit is reached (ulimit -n): a rank that fails would not be seen",
                    unreadable);
        }
    }

    private void list(List<RankNotes.Started> started, List<RankNotes.Failed> failed, Set<Integer> gone)
            throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (name.startsWith(HostedRanks.STARTED) && !read.contains(name)) {
                    started(file, name.substring(HostedRanks.STARTED.length())).ifPresent(note -> {
                        started.add(note);
                        read.add(name);
                    });
                } else if (name.startsWith(HostedRanks.ENDED) && !read.contains(name)) {
                    failed(file).ifPresent(failed::add);
                    read.add(name);
                } else if (GONE.matcher(name).matches() && read.add(name)) {
                    gone.add(Integer.parseInt(name.substring(HostedRanks.GONE.length())));
                }
            }
        }
    }

    /** Empty while it is being written. */
    private Optional<RankNotes.Started> started(Path file, String rank) throws IOException {
        Matcher note = STARTED.matcher(text(file));
        if (!note.matches() || !rank.matches("[0-9]{1,9}")) {
            isFresh = true;
            return Optional.empty();
        }
        return Optional.of(new RankNotes.Started(
                Integer.parseInt(rank), Long.parseLong(note.group(1)), Long.parseLong(note.group(2))));
    }

    private Optional<RankNotes.Failed> failed(Path file) throws IOException {
        Matcher note = ENDED.matcher(text(file));
        if (!note.matches() || Integer.parseInt(note.group(1)) > HIGHEST_CODE) {
            return Optional.empty();
        }
        Optional<String> what = Optional.ofNullable(note.group(3))
                .map(String::strip)
                .filter(program -> !program.isEmpty())
                .map(Printable::escape);
        boolean isRefused = Integer.parseInt(note.group(1)) == ExitCode.TEMPORARY.code()
                && what.filter(HostedRanks.REFUSED::equals).isPresent();
        return Optional.of(new RankNotes.Failed(
                Integer.parseInt(note.group(2)),
                isRefused ? Refusals.ofShell() : Termination.ofExitValue(Integer.parseInt(note.group(1))),
                isRefused ? Optional.empty() : what,
                note.group(4) != null,
                nanoClock.getAsLong() - age(file)));
    }

    /** Nanoseconds since the file was written, by the clock of its file system. */
    private long age(Path file) throws IOException {
        Path now = Files.write(directory.resolve(NOW), new byte[] {'\n'});
        return Math.max(
                0,
                Files.getLastModifiedTime(now).to(TimeUnit.NANOSECONDS)
                        - Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }
}
