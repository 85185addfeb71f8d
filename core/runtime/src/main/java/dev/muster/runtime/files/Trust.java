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
 * Whom the launcher trusts: root and its own user, and nobody else.
 *
 * <p>A file is theirs when it belongs to one of them, others cannot write to it, and so for every directory and link on the way to
 * it: whoever can write to a directory can put something else in the place of what is in it. In a directory with the sticky bit
 * others can only add things. Where a file server gives all files to one user, those of that user are ours, too, unless they are
 * keys. A volume of a container that belongs to root or us but is open to all, as an emptyDir of Kubernetes, is only warned of:
 * nobody else is expected there. So are files to which their group can write.
 */
public final class Trust {

    private static final Path SELF = Path.of("/proc/self");

    /** Belongs to root, who has another number in a user namespace that does not know him. */
    private static final Path TOP = Path.of("/");

    /** File systems that other machines have, too, as those in user space whose names begin with {@code fuse.} may. */
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
     * @param path of it
     * @param what is wrong, to be read after its path
     * @param remedy what to do, for example {@code chmod o-w /x/file}
     */
    public record Flaw(Path path, String what, String remedy) {

        /** What is wrong, to be read after the path of the file that was asked about. */
        public String of(Path asked) {
            return path.equals(asked.toAbsolutePath()) ? what : "depends on others: " + sentence();
        }

        /** With the path in front. */
        public String sentence() {
            return Printable.escape(path.toString()) + " " + what;
        }
    }

    /**
     * What is found about a file.
     *
     * @param refusal the first reason not to use it
     * @param warnings what the user should know when it is used
     */
    public record Judgement(Optional<Flaw> refusal, List<Flaw> warnings) {}

    /**
     * Whether somebody else could have written a file that decides what the launcher does, or put another one in its place; a
     * directory of such files is judged the same way.
     *
     * @throws IOException when it is not there, or cannot be looked at
     */
    public static Judgement ofCode(Path path) throws IOException {
        return new Trust(Use.CODE).judge(path);
    }

    /** The same for a key, which others must not be able to read either. */
    public static Judgement ofKey(Path path) throws IOException {
        return new Trust(Use.KEY).judge(path);
    }

    /** The same without the directories above it, for whoever has looked at these before, or has made them. */
    public static Judgement ofKeyAlone(Path path) throws IOException {
        Trust trust = new Trust(Use.KEY);
        way(path).stream().filter(seen -> seen.status().isLink()).forEach(trust::judgeLink);
        trust.judgeFile(last(path));
        return trust.judgement();
    }

    /** Whether neither others nor the group can write to a directory, or to one above it. */
    static boolean isStrict(Path directory) throws IOException {
        return way(directory).stream()
                .noneMatch(seen -> seen.status().isDirectory()
                        && (seen.status().othersWrite() || seen.status().groupWrites()));
    }

    /** The same for data that platforms write as they like: only a file to which others can write is refused. */
    public static Judgement ofData(Path path) throws IOException {
        return new Trust(Use.DATA).judge(path);
    }

    /** The number of this process's user. */
    static int ownUid() throws IOException {
        return FileStatus.of(SELF).uid();
    }

    /** Whether someone is root or this process's user. */
    static boolean isTrusted(int uid) throws IOException {
        return uid == 0 || uid == ownUid() || uid == FileStatus.of(TOP).uid();
    }

    /** @throws FileException where a symbolic link of somebody else's is on the way, who may lead it anywhere */
    static void refuseOthersLinks(Path path) throws IOException {
        for (PathStep each : way(path)) {
            if (each.status().isLink() && !isTrusted(each.status().uid())) {
                throw new FileException(shown(each.path()) + " is a link of uid "
                        + each.status().uid() + ", which is neither root nor you, and is not followed");
            }
        }
    }

    /** A file, directory or link on a way; links may lie above its path. */
    record PathStep(Path path, FileStatus status) {}

    /**
     * Every directory and link on the way to a file, and to what the links lead to, from the top of the machine on. What is missing ends
     * the way.
     */
    static List<PathStep> way(Path path) throws IOException {
        Map<Path, PathStep> seen = new LinkedHashMap<>();
        addWay(path.toAbsolutePath(), seen);
        return List.copyOf(seen.values());
    }

    private static void addWay(Path path, Map<Path, PathStep> seen) throws IOException {
        Path step = TOP;
        seen.putIfAbsent(TOP, new PathStep(TOP, FileStatus.of(TOP)));
        for (Path name : path) {
            step = step.resolve(name);
            if (!seen.containsKey(step) && Files.exists(step, LinkOption.NOFOLLOW_LINKS)) {
                FileStatus status = FileStatus.of(step, LinkOption.NOFOLLOW_LINKS);
                seen.put(step, new PathStep(step, status));
                if (status.isLink()) {
                    addWay(step.resolveSibling(Files.readSymbolicLink(step)), seen);
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
        for (PathStep each : way(path)) {
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
            // The kubelet mounts a Secret for all users of its container, and nobody there could change that.
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

    /** Whether others can exchange what is in it. Nobody can on a volume that is only read, as a ConfigMap of Kubernetes. */
    static boolean isOpen(PathStep directory) {
        return directory.status().othersWrite() && !directory.status().isSticky() && !isOnlyRead(directory);
    }

    /** Whether it lies on a volume of this machine alone that is only read. */
    private static boolean isOnlyRead(PathStep seen) {
        return store(seen).map(store -> store.isReadOnly() && !isShared(store)).orElse(false);
    }

    /** Whether something is mounted there that other machines do not have. */
    static boolean isVolume(PathStep directory) throws IOException {
        Path parent = directory.path().getParent();
        return parent != null
                && directory.status().device() != FileStatus.of(parent).device()
                && !store(directory).map(Trust::isShared).orElse(false);
    }

    /** Empty where the list of what is mounted is not about this place, as behind a chroot. */
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
