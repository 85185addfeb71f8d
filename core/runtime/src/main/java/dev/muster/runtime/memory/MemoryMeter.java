package dev.muster.runtime.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells what the kernel's memory killer has done since this was made. The kernel counts before it kills: who hears of the end of a
 * process finds it counted.
 */
public final class MemoryMeter {

    private static final String KILLS = "oom_kill";
    /** More digits than any machine has memory: how version 1 writes that there is no limit. */
    private static final String NUMBER = "[0-9]{1,18}";

    private final Path root;
    private final Optional<MemoryGroups.Found> groups;
    private final Reading before;

    /** @param root where {@code /proc} and {@code /sys} are */
    public MemoryMeter(Path root) {
        this.root = root;
        this.groups = new MemoryGroups(root).find();
        this.before = read();
    }

    /**
     * What stands in the files at one moment.
     *
     * @param kills by group; only that of our own where it counts those below it as well
     * @param hits how often limits were reached, by group
     * @param machine kills of the whole machine
     */
    private record Reading(Map<Path, Long> kills, Map<Path, Long> hits, OptionalLong machine) {}

    /** What has happened until now. */
    public MemoryKills sinceTheStart() {
        Reading now = read();
        OptionalLong onMachine = growth(before.machine, now.machine);
        if (groups.isEmpty()) {
            return elsewhere(onMachine, "its control group is not mounted here");
        }
        Path own = groups.get().own();
        Optional<MemoryKills.Limit> limit = limit(now);
        if (now.kills.containsKey(own) && before.kills.containsKey(own)) {
            return new MemoryKills(
                    OptionalLong.of(growth(before.kills, now.kills)),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    limit,
                    Optional.empty());
        }
        if (onMachine.isEmpty() && now.hits.containsKey(own)) {
            return new MemoryKills(
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(growth(before.hits, now.hits)),
                    limit,
                    Optional.of("this kernel does not count them"));
        }
        return elsewhere(onMachine, "there is no count in " + killFile(own));
    }

    private static MemoryKills elsewhere(OptionalLong onMachine, String why) {
        return new MemoryKills(
                OptionalLong.empty(), onMachine, OptionalLong.empty(), Optional.empty(), Optional.of(why));
    }

    private Reading read() {
        Map<Path, Long> kills = new HashMap<>();
        Map<Path, Long> hits = new HashMap<>();
        groups.ifPresent(found -> {
            for (Path group : levels(found)) {
                boolean counts = group.startsWith(found.own()) && (found.countsAlone() || group.equals(found.own()));
                if (counts) {
                    field(killFile(group), KILLS).ifPresent(count -> kills.put(group, count));
                }
                hits(group).ifPresent(count -> hits.put(group, count));
            }
        });
        return new Reading(kills, hits, field(root.resolve("proc/vmstat"), KILLS));
    }

    /** All that may hold a limit, the innermost first. */
    private static List<Path> levels(MemoryGroups.Found found) {
        List<Path> levels = new ArrayList<>(found.below());
        levels.addAll(found.upwards());
        return levels;
    }

    private boolean isUnified() {
        return groups.map(MemoryGroups.Found::isUnified).orElse(false);
    }

    private Path killFile(Path group) {
        return group.resolve(isUnified() ? "memory.events" : "memory.oom_control");
    }

    /** How often a group's own limit was reached in vain (version 2), or at all (version 1). */
    private OptionalLong hits(Path group) {
        return isUnified()
                ? field(group.resolve("memory.events.local"), "oom")
                : number(text(group.resolve("memory.failcnt")).strip());
    }

    /** The innermost that was reached meanwhile, else the lowest that holds for this process. */
    private Optional<MemoryKills.Limit> limit(Reading now) {
        MemoryGroups.Found found = groups.orElseThrow();
        Optional<MemoryKills.Limit> lowest = Optional.empty();
        for (Path group : levels(found)) {
            Optional<MemoryKills.Limit> limit = limit(group);
            boolean isReached = now.hits.getOrDefault(group, 0L) > before.hits.getOrDefault(group, 0L);
            if (limit.isPresent() && isReached) {
                return limit;
            }
            boolean holds = found.own().startsWith(group) && limit.isPresent();
            if (holds
                    && lowest.map(other -> limit.get().bytes() < other.bytes()).orElse(true)) {
                lowest = limit;
            }
        }
        return lowest;
    }

    private Optional<MemoryKills.Limit> limit(Path group) {
        Path file = group.resolve(isUnified() ? "memory.max" : "memory.limit_in_bytes");
        OptionalLong bytes = number(text(file).strip());
        return bytes.isPresent()
                ? Optional.of(new MemoryKills.Limit(bytes.getAsLong(), "/" + root.relativize(file)))
                : Optional.empty();
    }

    private static OptionalLong growth(OptionalLong before, OptionalLong now) {
        return before.isPresent() && now.isPresent()
                ? OptionalLong.of(Math.max(0, now.getAsLong() - before.getAsLong()))
                : OptionalLong.empty();
    }

    /** Groups that were made meanwhile began with nothing. */
    private static long growth(Map<Path, Long> before, Map<Path, Long> now) {
        return now.entrySet().stream()
                .mapToLong(entry -> Math.max(0, entry.getValue() - before.getOrDefault(entry.getKey(), 0L)))
                .sum();
    }

    /** From lines such as {@code oom_kill 3}. */
    private static OptionalLong field(Path file, String name) {
        return text(file)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> number(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong number(String text) {
        return text.matches(NUMBER) ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
