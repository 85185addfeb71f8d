package dev.muster.runtime.files;

import dev.muster.runtime.files.PathWalk.Seen;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A directory that this launcher writes to, and others perhaps, too. No link of theirs is followed on the way to it, neither to
 * write nor to make directories; below a directory in which others can exchange things no link at all is. There it is held open,
 * so that what is written arrives where the way has led, whatever becomes of the names.
 */
public final class LogPlace implements AutoCloseable {

    private final Path path;
    private final List<String> warnings = new ArrayList<>();
    private Path reached;
    private @Nullable SecureDirectoryStream<Path> held;

    private LogPlace(Path path) {
        this.path = path;
        this.reached = path;
    }

    /**
     * The directory, which is made with those above it where they are missing.
     *
     * @param directory absolute
     * @throws FileException it cannot be made, or somebody else has put a link on the way
     */
    public static LogPlace make(Path directory) throws FileException {
        return new LogPlace(directory).reach(true);
    }

    /** The same, but nothing is made. */
    public static LogPlace at(Path directory) throws FileException {
        return new LogPlace(directory).reach(false);
    }

    /** As users know it. */
    public Path path() {
        return path;
    }

    /** What is opened, as long as this is not closed. */
    public Path reached() {
        return reached;
    }

    /** By which name a file in it is opened. */
    public Path reach(Path file) {
        return path.equals(file.getParent()) ? reached.resolve(file.getFileName()) : file;
    }

    /** A message about what was opened, as users know it. */
    public String named(String message) {
        return message.replace(reached.toString(), Printable.escape(path.toString()));
    }

    /** What others could do there. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public void close() {
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException closed) {
            // It goes with the process.
        }
    }

    private LogPlace reach(boolean isMade) throws FileException {
        try {
            PathWalk walk = PathWalk.upTo(path, LogPlace::isWeak);
            if (walk.rest().isEmpty() || isWeak(walk.last())) {
                return follow(walk, isMade);
            }
            if (isMade) {
                refuseLinks(walk);
                Directories.make(path);
                return follow(PathWalk.upTo(path, LogPlace::isWeak), true);
            }
            return this;
        } catch (FileException refused) {
            close();
            throw refused;
        } catch (IOException unreadable) {
            close();
            throw new FileException(
                    "cannot use the directory " + shown(path) + ": " + Reasons.of(unreadable), unreadable);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // It is held until this is closed.
    private LogPlace follow(PathWalk walk, boolean isMade) throws IOException {
        refuseLinks(walk);
        if (isWeak(walk.last())) {
            hold(Files.newDirectoryStream(walk.real()));
            warnOf(
                    walk.real(),
                    walk.real().getParent() == null
                            ? walk.last().facts()
                            : Facts.of(walk.real().getParent()));
            Path real = walk.real();
            for (Path name : walk.rest()) {
                Facts above = Facts.of(reached);
                real = real.resolve(name);
                descend(name, real, isMade);
                warnOf(real, above);
            }
        }
        return this;
    }

    private static void refuseLinks(PathWalk walk) throws IOException {
        for (Seen each : walk.seen()) {
            Trust.refuseOthersLink(each.path(), each.facts());
        }
    }

    private void descend(Path name, Path real, boolean isMade) throws IOException {
        SecureDirectoryStream<Path> above = Objects.requireNonNull(held);
        if (isMade) {
            try {
                Files.createDirectory(reached.resolve(name), Directories.MODE);
            } catch (FileAlreadyExistsException exists) {
                // It will be seen whose it is.
            }
        }
        try {
            hold(above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException missing) {
            throw missing;
        } catch (IOException refused) {
            String why = Files.isSymbolicLink(reached.resolve(name))
                    ? " is a link, in a directory that others can write to, and is not followed"
                    : " cannot be used: " + Reasons.of(refused);
            throw new FileException(shown(real) + why, refused);
        } finally {
            above.close();
        }
    }

    private void hold(DirectoryStream<Path> opened) throws IOException {
        if (!(opened instanceof SecureDirectoryStream<Path> directory)) {
            opened.close();
            throw new IOException("this system cannot hold a directory");
        }
        held = directory;
        Object identity = identity(
                directory.getFileAttributeView(BasicFileAttributeView.class).readAttributes());
        Optional<Path> descriptor = Descriptors.find(
                open -> identity.equals(identity(Files.readAttributes(open, BasicFileAttributes.class))));
        reached = descriptor.orElseThrow(() -> new IOException("/proc is not there"));
    }

    private static Object identity(BasicFileAttributes attributes) throws IOException {
        @Nullable Object key = attributes.fileKey();
        if (key == null) {
            throw new IOException("this file system tells no file from another");
        }
        return key;
    }

    /** Whether others can exchange what is in it. */
    private static boolean isWeak(Seen seen) {
        try {
            // What cannot be read cannot be held; there only its owner could exchange something.
            boolean isForeign = !Trust.isTrusted(seen.facts().uid()) && Files.isReadable(seen.path());
            return seen.facts().isDirectory() && (isForeign || Trust.isOpen(seen));
        } catch (IOException unknown) {
            return true;
        }
    }

    /** Whom a directory belongs to matters where it need not be the system that has put it there. */
    private void warnOf(Path directory, Facts above) throws IOException {
        Facts facts = Facts.of(reached);
        String flaw = "";
        if (facts.othersWrite() && !facts.isSticky()) {
            flaw = " is writable by others (" + facts.permissions() + ")";
        } else if (above.othersWrite() && !Trust.isTrusted(facts.uid())) {
            flaw = " belongs to uid " + facts.uid() + ", which is neither root nor you";
        }
        if (!flaw.isEmpty() && warnings.isEmpty()) {
            warnings.add("the log directory " + shown(path) + " is not safe from other users: " + shown(directory)
                    + flaw + "; logs are written there all the same, and nothing is followed or overwritten");
        }
    }

    private static String shown(Path path) {
        return Printable.escape(path.toString());
    }
}
