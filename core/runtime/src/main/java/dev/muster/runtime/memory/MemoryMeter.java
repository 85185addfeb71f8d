package dev.muster.runtime.memory;

import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Counts the kills by the kernel's out-of-memory killer since it was created. The kernel counts before it kills, so the count is there when
 * a process's end is known.
 */
public final class MemoryMeter {

    private static final String KILLS = "oom_kill ";
    /** Up to 18 digits. Version 1 writes a longer number if there is no limit. */
    private static final String NUMBER = "[0-9]{1,18}";

    private final Path root;
    private final Optional<MemoryGroups.Found> groups;
    private final OptionalLong before;
    private final OptionalLong beforeOnMachine;

    /** @param root where {@code /proc} and {@code /sys} are */
    public MemoryMeter(Path root) {
        this.root = root;
        this.groups = new MemoryGroups(root).find();
        this.before = kills();
        this.beforeOnMachine = killsOnMachine();
    }

    /** The kills since this was created. */
    public MemoryKills sinceTheStart() {
        OptionalLong killed = growth(before, kills());
        if (killed.isPresent()) {
            return new MemoryKills(killed, OptionalLong.empty(), lowestLimit(), Optional.empty());
        }
        String why = groups.map(found -> "there is no count in " + killFile(found, found.own()))
                .orElse("its control group is not mounted here");
        return new MemoryKills(
                OptionalLong.empty(), growth(beforeOnMachine, killsOnMachine()), Optional.empty(), Optional.of(why));
    }

    /** The count of this group. In version 2 it includes the groups below. */
    private OptionalLong kills() {
        if (groups.isEmpty()) {
            return OptionalLong.empty();
        }
        MemoryGroups.Found found = groups.get();
        OptionalLong own = killsIn(killFile(found, found.own()));
        if (own.isEmpty() || found.isUnified()) {
            return own;
        }
        return OptionalLong.of(own.getAsLong()
                + found.below().stream()
                        .mapToLong(group -> killsIn(killFile(found, group)).orElse(0))
                        .sum());
    }

    private OptionalLong killsOnMachine() {
        return killsIn(root.resolve("proc/vmstat"));
    }

    private static Path killFile(MemoryGroups.Found found, Path group) {
        return group.resolve(found.isUnified() ? "memory.events" : "memory.oom_control");
    }

    /** The lowest limit of the group, its ancestors, and the groups below, into which a rank may have been moved. */
    private Optional<MemoryKills.Limit> lowestLimit() {
        MemoryGroups.Found found = groups.orElseThrow();
        return Stream.concat(found.below().stream(), found.upwards().stream())
                .flatMap(group -> limit(found, group).stream())
                .min((one, other) -> Long.compare(one.limitBytes(), other.limitBytes()));
    }

    private Optional<MemoryKills.Limit> limit(MemoryGroups.Found found, Path group) {
        Path file = group.resolve(found.isUnified() ? "memory.max" : "memory.limit_in_bytes");
        OptionalLong bytes = number(ReadableFiles.text(file).strip());
        return bytes.isPresent()
                ? Optional.of(new MemoryKills.Limit(bytes.getAsLong(), "/" + root.relativize(file)))
                : Optional.empty();
    }

    private static OptionalLong growth(OptionalLong before, OptionalLong now) {
        return before.isPresent() && now.isPresent()
                ? OptionalLong.of(Math.max(0, now.getAsLong() - before.getAsLong()))
                : OptionalLong.empty();
    }

    /** From lines such as {@code oom_kill 3}. */
    private static OptionalLong killsIn(Path file) {
        return number(ReadableFiles.field(ReadableFiles.text(file), KILLS));
    }

    private static OptionalLong number(String text) {
        return text.matches(NUMBER) ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
