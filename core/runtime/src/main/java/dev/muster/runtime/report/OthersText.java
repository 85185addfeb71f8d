package dev.muster.runtime.report;

import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Ranges;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What the other processes of a node did when one process ended the job. */
final class OthersText {

    /**
     * One way in which a process can end.
     *
     * @param key for machines
     * @param words for users; empty: other lines tell it
     */
    private record Group(String key, Optional<String> words, Predicate<ProcessReport> matches) {}

    private static final List<Group> GROUPS = List.of(
            new Group("stopped", Optional.of("stopped"), process -> process.stoppedByUs() && !wasKilled(process)),
            new Group(
                    "killed",
                    Optional.of("stopped with SIGKILL"),
                    process -> process.stoppedByUs() && wasKilled(process)),
            new Group("done", Optional.of("already done"), OthersText::hasSucceeded),
            new Group("failed", Optional.empty(), ProcessReport::failed),
            new Group(
                    "leftToEnd",
                    Optional.of("left to end"),
                    process -> process.harmless() && !process.stoppedByUs() && !hasSucceeded(process)),
            new Group(
                    "neverStarted",
                    Optional.of("never started"),
                    process -> process.pid() == 0 && process.termination().isEmpty()));

    /** The most ranges, and the most names, in a list. */
    private static final int MOST = 12;

    /** The most failed processes with a line each. */
    private static final int NAMED = 3;

    private final List<ProcessReport> others;

    /** Steps are left out: they belong to the engine. */
    OthersText(Verdict verdict) {
        others = verdict.processes().stream()
                .filter(process -> !(process.spec() instanceof ProcessSpec.Hook))
                .filter(process -> !isCause(verdict, process))
                .toList();
    }

    static boolean isCause(Verdict verdict, ProcessReport process) {
        return verdict.cause() instanceof Cause.OfProcess ended
                && ended.process().id().equals(process.spec().id());
    }

    /** The ids of the processes for each key that applies. */
    Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (Group group : GROUPS) {
            List<ProcessSpec> meant = specs(group.matches());
            if (!meant.isEmpty()) {
                groups.put(group.key(), meant.stream().map(ProcessSpec::id).toList());
            }
        }
        return groups;
    }

    /** One line without the processes that failed too; empty: there are no others. For example {@code ranks 0-2,4-7 were stopped (7)}. */
    Optional<String> afterFailure() {
        List<String> parts = new ArrayList<>();
        for (Group group : GROUPS) {
            List<ProcessSpec> meant = specs(group.matches());
            group.words()
                    .filter(words -> !meant.isEmpty())
                    .ifPresent(words -> parts.add(brief(meant)
                            + (meant.size() > 1 ? " were " + words + " (" + meant.size() + ")" : " was " + words)));
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    /** The tasks that had not finished when the job was stopped; empty: all had. */
    Optional<String> afterStop() {
        List<ProcessSpec> unfinished = tasks(
                process -> process.pid() > 0 && !isFinished(process) && !process.failed() && !process.isOfEarlierRun());
        List<ProcessSpec> killed = tasks(process -> process.stoppedByUs() && wasKilled(process));
        if (unfinished.isEmpty()) {
            return Optional.empty();
        }
        String grace = killed.isEmpty() ? "" : "; SIGKILL after the grace period: " + brief(killed);
        return Optional.of("not finished: " + brief(unfinished) + " (" + unfinished.size() + " of "
                + tasks(process -> true).size() + ")" + grace);
    }

    private List<ProcessSpec> tasks(Predicate<ProcessReport> isMeant) {
        return specs(isMeant).stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
    }

    private List<ProcessSpec> specs(Predicate<ProcessReport> isMeant) {
        return others.stream().filter(isMeant).map(ProcessReport::spec).toList();
    }

    /** True also for a process that ended with 0 after it was told to stop. */
    private static boolean isFinished(ProcessReport process) {
        return process.termination().map(Termination::isSuccess).orElse(false);
    }

    private static boolean hasSucceeded(ProcessReport process) {
        return !process.stoppedByUs() && isFinished(process);
    }

    private static boolean wasKilled(ProcessReport process) {
        return process.termination()
                .filter(how -> how.signal().orElse(0) == SignalNames.KILL)
                .isPresent();
    }

    /** The other processes that failed: some perhaps before the cause, some later. */
    static List<String> alsoFailed(Verdict verdict) {
        List<ProcessReport> failed = verdict.processes().stream()
                .filter(process -> process.failed() && !process.isOfEarlierRun() && !isCause(verdict, process))
                .toList();
        List<String> lines = new ArrayList<>();
        boolean areMany = failed.size() > NAMED + 1;
        for (ProcessReport process : areMany ? failed.subList(0, NAMED) : failed) {
            String same = isAtTheSameTime(process, verdict) ? "at the same time: " : "";
            lines.add(same + VerdictText.name(process.spec(), process.pid()) + " failed too: "
                    + process.termination().map(Termination::describe).orElse("not started"));
        }
        if (areMany) {
            List<ProcessSpec> rest = failed.subList(NAMED, failed.size()).stream()
                    .map(ProcessReport::spec)
                    .toList();
            lines.add(rest.size() + " more failed too: " + brief(rest));
        }
        return lines;
    }

    /** Whether this process may have failed first. */
    private static boolean isAtTheSameTime(ProcessReport process, Verdict verdict) {
        return verdict.cause() instanceof Cause.OfProcess first
                && process.pid() > 0
                && verdict.processes().stream()
                        .filter(report ->
                                report.spec().id().equals(first.process().id()))
                        .anyMatch(report -> report.age().minus(process.age()).compareTo(Verdict.SAME_TIME) < 0);
    }

    /** A short text for at least one process: {@code ranks 0-2,4-7 and sshd}. */
    private static String brief(List<ProcessSpec> processes) {
        BitSet ranks = new BitSet();
        List<String> names = new ArrayList<>();
        for (ProcessSpec process : processes) {
            process.placement().ifPresentOrElse(rank -> ranks.set(rank.rank()), () -> names.add(process.id()));
        }
        List<String> parts = new ArrayList<>();
        if (!ranks.isEmpty()) {
            parts.add(words(ranks));
        }
        parts.addAll(names.subList(0, Math.min(MOST, names.size())));
        if (names.size() > MOST) {
            parts.add((names.size() - MOST) + " others");
        }
        return joined(parts);
    }

    private static String joined(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1
                ? String.join("", parts)
                : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    /** {@code rank 3}, {@code ranks 0-2,4}. */
    private static String words(BitSet ranks) {
        List<String> ranges = Ranges.of(ranks);
        String shown = String.join(",", ranges.subList(0, Math.min(MOST, ranges.size())));
        return (ranks.cardinality() == 1 ? "rank " : "ranks ") + shown + (ranges.size() > MOST ? ",..." : "");
    }
}
