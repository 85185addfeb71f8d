package dev.muster.runtime.control;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.JobCard;
import dev.muster.runtime.files.PrivatePlace;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Warden;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the launchers of this PID namespace: by the environment of their wardens, and those that have none yet by their command lines.
 * Only this user's, unless root asks: then what a process says of itself is believed only of processes and files of its own user.
 */
final class LauncherSearch {

    private static final long ROOT = 0;
    private static final String JVM = "java";

    private final long self = ProcessHandle.current().pid();
    private final long user;

    private LauncherSearch(long user) {
        this.user = user;
    }

    /** @throws MusterException nobody can see processes here */
    static LauncherSearch byThisUser() {
        OptionalLong user = ProcessSurvey.isPossible()
                ? ProcessSurvey.user(ProcessHandle.current().pid())
                : OptionalLong.empty();
        return new LauncherSearch(user.orElseThrow(() -> new MusterException(
                ExitCode.UNAVAILABLE, "/proc does not show the processes of this container: it must be mounted")));
    }

    /** All of them, in the order of their pids. */
    List<FoundLauncher> find() {
        List<Owned> processes = processes();
        Map<Long, FoundLauncher> found = new HashMap<>();
        for (Owned owned : processes) {
            ofWarden(owned.process(), owned.owner())
                    .ifPresent(launcher -> found.merge(launcher.process().pid(), launcher, LauncherSearch::newer));
        }
        addStarting(processes, found);
        return found.values().stream()
                .sorted(Comparator.comparingLong(launcher -> launcher.process().pid()))
                .toList();
    }

    /** A process, and whose it is. */
    private record Owned(LiveProcess process, long owner) {}

    /** Those that may be of a launcher whom it finds. */
    private List<Owned> processes() {
        List<Owned> processes = new ArrayList<>();
        for (LiveProcess process : ProcessSurvey.all()) {
            OptionalLong owner = ProcessSurvey.user(process.pid());
            if (owner.isPresent() && (user == ROOT || user == owner.getAsLong())) {
                processes.add(new Owned(process, owner.getAsLong()));
            }
        }
        return processes;
    }

    /** Those that have no warden yet. */
    private void addStarting(List<Owned> processes, Map<Long, FoundLauncher> found) {
        Set<Long> known = new HashSet<>();
        found.values().forEach(launcher -> launcher.processes().forEach(each -> known.add(each.pid())));
        // A JVM knows its shell, and tells more than that.
        processes.sort(Comparator.comparing(owned -> !owned.process().name().equals(JVM)));
        for (Owned owned : processes) {
            LiveProcess process = owned.process();
            if (process.pid() != self && !known.contains(process.pid())) {
                CommandWords.ofLauncher(ProcessSurvey.arguments(process.pid()))
                        .filter(words -> ProcessSurvey.isOfThisNamespace(process.pid()) && !isFork(process))
                        .map(words -> starting(process, owned.owner(), words))
                        .filter(launcher -> launcher.processes().stream().noneMatch(each -> known.contains(each.pid())))
                        .ifPresent(launcher -> {
                            found.put(launcher.process().pid(), launcher);
                            launcher.processes().forEach(each -> known.add(each.pid()));
                        });
            }
        }
    }

    /** A warden that was replaced may be there still, for a moment. */
    private static FoundLauncher newer(FoundLauncher one, FoundLauncher other) {
        return other.warden().map(ProcessId::start).orElse(0L)
                        >= one.warden().map(ProcessId::start).orElse(0L)
                ? other
                : one;
    }

    private Optional<FoundLauncher> ofWarden(LiveProcess process, long owner) {
        List<Optional<String>> variables = ProcessSurvey.variables(process.pid(), Warden.SETTINGS, Warden.DIRECTORY);
        String[] settings = variables.get(0).orElse("").split(" ", -1);
        if (settings.length != 2 || !ProcessSurvey.isOfThisNamespace(process.pid())) {
            return Optional.empty();
        }
        Optional<Path> directory = variables.get(1).flatMap(path -> privateDirectory(process.pid(), path, owner));
        Optional<RunRecord> record = directory
                .flatMap(RunDirectory::recordIn)
                .filter(known -> known.marker().equals(settings[1]));
        Optional<ProcessId> launcher = record.isPresent()
                ? record.map(known -> id(known.launcher())).filter(id -> isOf(owner, id))
                : parent(process, owner);
        return launcher.map(id -> {
            Optional<CommandWords> words = CommandWords.ofLauncher(ProcessSurvey.arguments(id.pid()));
            Optional<ProcessId> guard = guard(record, words, id.pid()).filter(shell -> isOf(owner, shell));
            return new FoundLauncher(
                    record.map(RunRecord::job)
                            .or(() -> JobCard.of(id.pid()))
                            .or(() -> words.flatMap(CommandWords::jobId)),
                    record.map(RunRecord::part),
                    id,
                    guard,
                    Optional.of(process.id()),
                    record.flatMap(known -> directory),
                    record.map(RunRecord::grace).orElseGet(() -> grace(settings[0])),
                    owner,
                    Optional.of(settings[1]),
                    around(id.pid(), guard));
        });
    }

    private static Optional<ProcessId> guard(Optional<RunRecord> record, Optional<CommandWords> words, long jvm) {
        return record.isPresent()
                ? record.flatMap(RunRecord::guard).map(LauncherSearch::id)
                : words.flatMap(known -> guard(known, jvm));
    }

    /** The shell that gets the signals of a JVM, by what that was started with. */
    private static Optional<ProcessId> guard(CommandWords words, long jvm) {
        return words.isGuarded()
                ? ProcessSurvey.process(jvm)
                        .flatMap(process -> ProcessSurvey.process(process.parent()))
                        .map(LiveProcess::id)
                        .filter(shell -> CommandWords.isShell(ProcessSurvey.arguments(shell.pid())))
                : Optional.empty();
    }

    private static Duration grace(String hundredths) {
        try {
            return Duration.ofMillis(10 * Long.parseLong(hundredths));
        } catch (NumberFormatException | ArithmeticException garbage) {
            return Duration.ZERO;
        }
    }

    /** Whoever has died is nobody's any more, and nobody's wrong. */
    private static boolean isOf(long owner, ProcessId process) {
        return !ProcessTable.isThere(process.pid(), process.start())
                || ProcessSurvey.user(process.pid()).equals(OptionalLong.of(owner));
    }

    /** Who started the warden, unless it has died: then its warden stands for it. */
    private static Optional<ProcessId> parent(LiveProcess warden, long owner) {
        Optional<ProcessId> parent = ProcessSurvey.process(warden.parent())
                .filter(process -> process.pid() > 1 || isJava(process.pid()))
                .map(LiveProcess::id)
                .filter(id -> isOf(owner, id));
        return parent.or(() -> Optional.of(warden.id()));
    }

    private static boolean isJava(long pid) {
        return ProcessSurvey.arguments(pid).stream().findFirst().stream().anyMatch(word -> word.endsWith("java"));
    }

    private static Optional<Path> privateDirectory(long warden, String path, long owner) {
        try {
            Path directory = ProcessSurvey.reach(warden, Path.of(path));
            return path.startsWith("/") && PrivatePlace.isOf(directory, owner)
                    ? Optional.of(directory)
                    : Optional.empty();
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    private static ProcessId id(RunRecord.Owner owner) {
        return new ProcessId(owner.pid(), owner.start());
    }

    private static FoundLauncher starting(LiveProcess process, long owner, CommandWords words) {
        Optional<ProcessId> guard = guard(words, process.pid());
        return new FoundLauncher(
                JobCard.of(process.pid()).or(words::jobId),
                Optional.empty(),
                process.id(),
                guard,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                owner,
                Optional.empty(),
                around(process.pid(), guard));
    }

    /**
     * Whoever has just been forked has the command line of its parent until it becomes another program; and a shell that keeps the
     * environment for the launcher has that of the shell that has become the guard.
     */
    private static boolean isFork(LiveProcess process) {
        List<String> own = ProcessSurvey.arguments(process.pid());
        List<String> parents = ProcessSurvey.arguments(process.parent());
        boolean isKeeper = CommandWords.isShell(own)
                && CommandWords.ofLauncher(own)
                        .map(CommandWords::words)
                        .equals(CommandWords.ofLauncher(parents).map(CommandWords::words));
        return isKeeper || own.equals(parents);
    }

    private static Optional<String> around(long pid, Optional<ProcessId> guard) {
        return around(pid).or(() -> guard.flatMap(shell -> around(shell.pid())));
    }

    private static Optional<String> around(long pid) {
        return ProcessSurvey.variables(pid, RunMarker.VARIABLE).get(0);
    }
}
