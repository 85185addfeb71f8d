package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the launcher can trust a file. It trusts root and its own user only.
 *
 * <p>A trusted file belongs to one of them, and others cannot write to it. The same holds for each directory and link on its path,
 * because a writer of a directory can replace what is in it. In a directory with the sticky bit others can only add files. If a file
 * server gives all files to one user, that user is trusted, too, but not for keys. A container's volume that is open to all, such as an
 * emptyDir of Kubernetes, gives only a warning: no other users are expected there. So does a file that its group can write.
 */
public final class Trust {

    private static final Path SELF = Path.of("/proc/self");

    /** Belongs to root. In a user namespace without root, root has another uid. */
    private static final Path TOP = Path.of("/");

    /** Network file systems. User-space file systems, {@code fuse.*}, may be, too. */
    private static final Set<String> SHARED =
            Set.of("nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "gpfs", "beegfs", "glusterfs", "afs");

    private final Use use;
    private final int us;
    private final int top;
    private final List<Flaw> refusals = new ArrayList<>();
    private final List<Flaw> warnings = new ArrayList<>();

    private Trust(Use use) throws IOException {
        this.use = use;
        this.us = ownUid();
        this.top = FileStatus.of(TOP).uid();
    }

    private enum Use {
        CODE,
        KEY,
        DATA
    }

    /**
     * Something that others could have changed.
     *
     * @param path of the file or directory
     * @param what is wrong; follows the path in a sentence
     * @param remedy what to do, for example {@code chmod o-w /x/file}
     */
    public record Flaw(Path path, String what, String remedy) {

        /** What is wrong, in words that follow the path of the requested file. */
        public String of(Path asked) {
            return path.equals(asked.toAbsolutePath()) ? what : "depends on others: " + sentence();
        }

        /** What is wrong, with the path before it. */
        public String sentence() {
            return Printable.escape(path.toString()) + " " + what;
        }
    }

    /**
     * The result for a file.
     *
     * @param refusal the first reason not to use it
     * @param warnings what the user should know if it is used
     */
    public record Judgement(Optional<Flaw> refusal, List<Flaw> warnings) {}

    /**
     * Judges a file that decides what the launcher does: could another user have written or replaced it? A directory of such files is
     * judged the same way.
     *
     * @throws IOException the file is missing or cannot be examined
     */
    public static Judgement ofCode(Path path) throws IOException {
        return new Trust(Use.CODE).judge(path);
    }

    /** The same for a key. Others must not be able to read it. */
    public static Judgement ofKey(Path path) throws IOException {
        return new Trust(Use.KEY).judge(path);
    }

    /** The same for a key in a directory that the caller has checked or made. Directories above it are not judged. */
    public static Judgement ofKeyAlone(Path path) throws IOException {
        Trust trust = new Trust(Use.KEY);
        steps(path).stream().filter(seen -> seen.status().isLink()).forEach(trust::judgeLink);
        trust.judgeFile(last(path));
        return trust.judgement();
    }

    /** Whether only owners can write to a directory and to those above it. */
    static boolean isStrict(Path directory) throws IOException {
        return steps(directory).stream()
                .noneMatch(seen -> seen.status().isDirectory()
                        && (seen.status().othersWrite() || seen.status().groupWrites()));
    }

    /** The same for data of a platform. Only a file that others can write is refused. */
    public static Judgement ofData(Path path) throws IOException {
        return new Trust(Use.DATA).judge(path);
    }

    /** The uid of this process. */
    static int ownUid() throws IOException {
        return FileStatus.of(SELF).uid();
    }

    /** Whether a uid is root or this process's user. */
    static boolean isTrusted(int uid) throws IOException {
        return uid == 0 || uid == ownUid() || uid == FileStatus.of(TOP).uid();
    }

    /** @throws FileException a symbolic link on the path belongs to another user, who may change its target */
    static void refuseOthersLinks(Path path) throws IOException {
        for (PathStep each : steps(path)) {
            if (each.status().isLink() && !isTrusted(each.status().uid())) {
                throw new FileException(shown(each.path()) + " is a link of uid "
                        + each.status().uid() + ", which is neither root nor you, and is not followed");
            }
        }
    }

    /** A file, directory or link on a path. */
    record PathStep(Path path, FileStatus status) {}

    /**
     * Every directory and link on the path of a file, and on the paths of link targets, from {@code /} on. A missing file ends the path.
     */
    static List<PathStep> steps(Path path) throws IOException {
        Map<Path, PathStep> seen = new LinkedHashMap<>();
        addSteps(path.toAbsolutePath(), seen);
        return List.copyOf(seen.values());
    }

    private static void addSteps(Path path, Map<Path, PathStep> seen) throws IOException {
        Path step = TOP;
        seen.putIfAbsent(TOP, new PathStep(TOP, FileStatus.of(TOP)));
        for (Path name : path) {
            step = step.resolve(name);
            if (!seen.containsKey(step) && Files.exists(step, LinkOption.NOFOLLOW_LINKS)) {
                FileStatus status = FileStatus.of(step, LinkOption.NOFOLLOW_LINKS);
                seen.put(step, new PathStep(step, status));
                if (status.isLink()) {
                    addSteps(step.resolveSibling(Files.readSymbolicLink(step)), seen);
                }
            }
        }
    }

    private static PathStep last(Path path) throws IOException {
        Path real = path.toRealPath();
        return new PathStep(real, FileStatus.of(real));
    }

    private Judgement judge(Path path) throws IOException {
        PathStep last = last(path);
        for (PathStep each : steps(path)) {
            if (each.status().isLink()) {
                judgeLink(each);
            } else if (each.status().isDirectory()) {
                judgeDirectory(each);
            }
        }
        if (!last.status().isDirectory()) {
            judgeFile(last);
        }
        if (last.status().groupWrites() && !last.status().othersWrite()) {
            warnings.add(flaw(
                    last,
                    "is writable by its group (" + last.status().permissions() + ")",
                    "chmod g-w " + shown(last.path())));
        }
        return judgement();
    }

    private Judgement judgement() {
        return new Judgement(refusals.stream().findFirst(), List.copyOf(warnings));
    }

    private void judgeLink(PathStep link) {
        if (!isOurs(link.status(), above(link))) {
            add(flaw(link, "is a link of " + stranger(link), "replace it by a link of your own, or name its target"));
        }
    }

    private void judgeDirectory(PathStep directory) throws IOException {
        Path path = directory.path();
        if (!isOurs(directory.status(), path)) {
            add(flaw(directory, "belongs to " + stranger(directory), "chown " + us + " " + shown(path)));
        } else if (isOpen(directory)) {
            if (isVolume(directory)) {
                warnings.add(open(directory));
            } else {
                add(open(directory));
            }
        }
    }

    private Flaw open(PathStep directory) {
        String path = shown(directory.path());
        return flaw(
                directory,
                "is writable by others (" + directory.status().permissions() + "), who could exchange what is in it",
                use == Use.KEY ? "chmod 700 " + path + " or chmod +t " + path : "chmod o-w " + path);
    }

    private void judgeFile(PathStep file) {
        FileStatus status = file.status();
        String path = shown(file.path());
        if (!isOurs(status, above(file))) {
            add(flaw(file, "belongs to " + stranger(file), "chown " + us + " " + path));
        }
        if (status.othersWrite() && use != Use.KEY) {
            refusals.add(flaw(file, "is writable by others (" + status.permissions() + ")", "chmod o-w " + path));
        } else if (status.isOpenToOthers() && use == Use.KEY) {
            // The kubelet mounts a Secret readable for all users of its container, and read-only.
            List<Flaw> flaws = isOnlyRead(file) ? warnings : refusals;
            flaws.add(
                    flaw(file, "can be read or written by others (" + status.permissions() + ")", "chmod 600 " + path));
        }
    }

    private void add(Flaw flaw) {
        (use == Use.DATA ? warnings : refusals).add(flaw);
    }

    private static Path above(PathStep seen) {
        return Objects.requireNonNullElse(seen.path().getParent(), TOP);
    }

    private boolean isOurs(FileStatus status, Path directory) {
        int uid = status.uid();
        boolean isKey = use == Use.KEY && status.isFile();
        return uid == 0
                || uid == us
                || (!isKey && uid == top)
                || (use != Use.KEY && SafeFile.ownerOfNew(directory).orElse(us) == uid);
    }

    /** Whether others can replace files in a directory. On a read-only volume, such as a ConfigMap of Kubernetes, nobody can. */
    static boolean isOpen(PathStep directory) {
        return directory.status().othersWrite() && !directory.status().isSticky() && !isOnlyRead(directory);
    }

    /** Whether it is on a read-only volume that no other machine shares. */
    private static boolean isOnlyRead(PathStep seen) {
        return store(seen).map(store -> store.isReadOnly() && !isShared(store)).orElse(false);
    }

    /** Whether it is a mount point that no other machine shares. */
    static boolean isVolume(PathStep directory) throws IOException {
        Path parent = directory.path().getParent();
        return parent != null
                && directory.status().device() != FileStatus.of(parent).device()
                && !store(directory).map(Trust::isShared).orElse(false);
    }

    /** Empty if the list of mounts does not describe this place, as behind a chroot. */
    private static Optional<FileStore> store(PathStep seen) {
        try {
            return Optional.of(Files.getFileStore(seen.path()));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static boolean isShared(FileStore store) {
        return SHARED.contains(store.type()) || store.type().startsWith("fuse.");
    }

    private String stranger(PathStep seen) {
        return "uid " + seen.status().uid() + ", which is neither root nor you (uid " + us + ")";
    }

    private static Flaw flaw(PathStep seen, String what, String remedy) {
        return new Flaw(seen.path(), what, remedy);
    }

    private static String shown(Path path) {
        return Printable.escape(path.toString());
    }
}
