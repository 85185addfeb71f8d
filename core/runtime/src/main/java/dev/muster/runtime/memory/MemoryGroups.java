package dev.muster.runtime.memory;

import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The control groups that limit this process's memory, if they are mounted here: version 1 if that has the memory controller, otherwise
 * version 2. Containers see them differently: with the machine's names or without, and from their own group downwards or from the top.
 *
 * @param root where {@code /proc} and {@code /sys} are
 */
record MemoryGroups(Path root) {

    /** The kernel's name of the initial namespace, in which groups have their true names. */
    private static final String FIRST_NAMESPACE = "cgroup:[4026531835]";

    private static final int MOST_BELOW = 500;

    /**
     * The group of this process.
     *
     * @param isUnified whether they are of version 2
     * @param own directory of this process's group
     * @param top mount point of the hierarchy; the same or above
     * @param isMachine whether it is the root group, which has all processes without a group of their own
     */
    record Found(boolean isUnified, Path own, Path top, boolean isMachine) {

        /** The group and its visible ancestors, from the innermost outwards. */
        List<Path> upwards() {
            List<Path> groups = new ArrayList<>();
            for (Path at = own; at != null && at.startsWith(top); at = at.getParent()) {
                groups.add(at);
            }
            return groups;
        }

        /** The groups below it, into which processes of this run may have been moved. */
        List<Path> below() {
            List<Path> groups = new ArrayList<>();
            Deque<Path> open = new ArrayDeque<>(List.of(own));
            while (!isMachine && !open.isEmpty() && groups.size() < MOST_BELOW) {
                for (Path entry : ReadableFiles.entries(open.remove(), "*")) {
                    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        groups.add(entry);
                        open.add(entry);
                    }
                }
            }
            return groups;
        }
    }

    /** Finds the group; empty: it is not mounted here. */
    Optional<Found> find() {
        Optional<String> first = Optional.empty();
        Optional<String> second = Optional.empty();
        for (String line : lines("proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("memory")) {
                first = Optional.of(parts[2]);
            } else if (parts.length == 3 && parts[0].equals("0")) {
                second = Optional.of(parts[2]);
            }
        }
        return first.isPresent() ? find(first.get(), false) : second.flatMap(name -> find(name, true));
    }

    private Optional<Found> find(String name, boolean isUnified) {
        for (String line : lines("proc/self/mountinfo")) {
            Optional<Found> found = Mount.of(line)
                    .filter(mount -> isUnified ? mount.isUnified() : mount.isMemory())
                    .flatMap(mount -> below(mount, name))
                    .filter(group -> Files.isDirectory(group.own()));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Found> below(Mount mount, String name) {
        Path group = Path.of(name).normalize();
        Path mounted = Path.of(mount.root);
        // The name of a group outside this namespace begins with "/..", also in the mount. Its path is then unknown.
        if (name.contains("..") || mount.root.contains("..") || !group.startsWith(mounted)) {
            return Optional.empty();
        }
        Path top = root.resolve("." + mount.place).normalize();
        Path own = top.resolve(mounted.relativize(group).toString()).normalize();
        boolean isMachine = group.equals(Path.of("/")) && isFirstNamespace();
        return Optional.of(new Found(mount.isUnified(), own, top, isMachine));
    }

    private boolean isFirstNamespace() {
        return ReadableFiles.target(root.resolve("proc/self/ns/cgroup")).equals(FIRST_NAMESPACE);
    }

    private List<String> lines(String file) {
        return ReadableFiles.text(root.resolve(file)).lines().toList();
    }

    /** A line such as {@code 36 25 0:31 /docker/1f /sys/fs/cgroup/memory ro,nosuid master:9 - cgroup cgroup rw,memory}. */
    private record Mount(String root, String place, String type, String options) {

        private static final int FIELDS = 6;

        static Optional<Mount> of(String line) {
            int split = line.indexOf(" - ");
            String[] fields = line.substring(0, Math.max(0, split)).split(" ", -1);
            String[] more = line.substring(Math.min(line.length(), split + 3)).split(" ", -1);
            return split < 0 || fields.length < FIELDS || more.length < 3
                    ? Optional.empty()
                    : Optional.of(new Mount(plain(fields[3]), plain(fields[4]), more[0], more[2]));
        }

        boolean isUnified() {
            return type.equals("cgroup2");
        }

        boolean isMemory() {
            return type.equals("cgroup") && List.of(options.split(",", -1)).contains("memory");
        }

        /** The file writes blanks as octal numbers. */
        private static String plain(String field) {
            return field.replace("\\040", " ")
                    .replace("\\011", "\t")
                    .replace("\\012", "\n")
                    .replace("\\134", "\\");
        }
    }
}
